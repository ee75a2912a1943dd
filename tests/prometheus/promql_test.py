"""promql.py finds the metrics and labels of an expression."""

import unittest

from promql import uses


class Uses(unittest.TestCase):
    def test_a_selector_has_its_matchers(self):
        self.assertEqual(uses('a_total{x="1",y=~"b{2}"}'), ({"a_total": {("x", "1"), ("y", "b{2}")}}, set()))

    def test_functions_ranges_and_words_in_strings_are_no_metrics(self):
        self.assertEqual(uses('rate(a_total[$__rate_interval]) > bool 1e3 and label_replace(b, "c", "$1", "d", "(e)")'),
                         ({"a_total": set(), "b": set()}, set()))

    def test_labels_of_lists_are_found_on_both_sides(self):
        self.assertEqual(uses("sum by (le, x) (rate(a_bucket[5m])) / on (y) group_left sum(b) without (z)"),
                         ({"a_bucket": set(), "b": set()}, {"le", "x", "y", "z"}))

    def test_uses_of_a_metric_are_joined(self):
        self.assertEqual(uses('a{x="1"} offset 5m or a{y!="2"} unless (a)'), ({"a": {("x", "1"), ("y", "2")}}, set()))


if __name__ == "__main__":
    unittest.main()
