"""catalogue.py finds what an expression asks for in vain."""

import unittest

from catalogue import Metric, metrics, problems

KNOWN = {"a_total": Metric("counter", {"x": {"1", "2"}}), "b": Metric("gauge", {"z": None}), "c_bucket": Metric("counter", {"le": None})}


class Problems(unittest.TestCase):
    def test_a_right_expression_has_none(self):
        self.assertEqual(problems('sum by (x, pod) (rate(a_total{x=~"1|2",job="j"}[1m])) + up * b{z="any"}', KNOWN), [])
        self.assertEqual(problems("histogram_quantile(0.9, sum by (le) (rate(c_bucket[1m])))", KNOWN), [])

    def test_mistakes_are_named(self):
        self.assertEqual(problems("rate(z_total[1m])", KNOWN), ["z_total is not exported"])
        self.assertEqual(problems('a_total{y="1"}', KNOWN), ["a_total has no label y"])
        self.assertEqual(problems('a_total{x=~"2|3"}', KNOWN), ["a_total has no x 3"])
        self.assertEqual(problems("sum by (y) (a_total)", KNOWN), ["no metric in it has the label y"])
        self.assertEqual(problems("increase(b[1m])", KNOWN), ["rate of b, which is no counter"])

    def test_the_page_lists_metrics_of_each_type_with_their_labels(self):
        known = metrics()
        state = known["neardup_service_state"]
        self.assertEqual((state.type, state.labels["state"] > {"starting", "serving"}), ("gauge", True))
        self.assertEqual(known["neardup_kafka_lag_records"], Metric("gauge", {"topic": None, "partition": None}))
        self.assertEqual(known["neardup_stage_duration_seconds_bucket"].labels.keys(), {"stage", "le"})
        self.assertEqual(known["process_start_time_seconds"], Metric("gauge", {}))


if __name__ == "__main__":
    unittest.main()
