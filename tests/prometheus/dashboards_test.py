"""The dashboards as files: as their source says, names that exist, a layout that Grafana can draw."""

import re
import subprocess
import sys
import unittest

import boards
import catalogue
from promql import uses

ROOT = boards.ROOT
VARIABLES = {"datasource", "namespace", "job", "instance", "__rate_interval"}
LEGEND_LABEL = re.compile(r"\{\{(\w+)\}\}")


class Dashboards(unittest.TestCase):
    def setUp(self):
        self.boards = boards.load()
        self.queries = boards.queries()

    def test_files_and_page_are_as_the_source_says(self):
        command = [sys.executable, ROOT / "scripts" / "dashboards", "--check"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_query_asks_for_metrics_and_labels_that_are_exported(self):
        known = catalogue.metrics()
        found = [f"{query.place}: {problem}" for query in self.queries
                 for problem in catalogue.problems(query.expression, known)]
        self.assertEqual(found, [])

    def test_all_metrics_are_on_a_dashboard(self):
        used = set()
        for query in self.queries:
            used |= uses(query.expression)[0].keys()
        left_out = {re.sub("_(bucket|sum|count)$", "", name) for name in catalogue.metrics()}
        left_out -= {re.sub("_(bucket|sum|count)$", "", name) for name in used}
        self.assertEqual(left_out, set())

    def test_legends_name_labels_that_the_series_have(self):
        known = catalogue.metrics()
        for query in self.queries:
            used, grouped = uses(query.expression)
            has = grouped or set().union(catalogue.SCRAPED, *(known[name].labels for name in used if name in known))
            self.assertLessEqual(set(LEGEND_LABEL.findall(query.legend)), has, query.place)

    def test_each_query_is_limited_to_what_is_chosen(self):
        for query in self.queries:
            for name, matchers in uses(query.expression)[0].items():
                limited = {("namespace", "$namespace"), ("job", "$job"), ("instance", "$instance")}
                if query.panel == "Not ready":  # an instance that is not there cannot be chosen
                    limited.remove(("instance", "$instance"))
                self.assertLessEqual(limited, matchers, f"{query.place}: {name}")
            self.assertLessEqual(set(re.findall(r"\$(\w+)", query.expression)), VARIABLES, query.place)

    def test_variables_and_marks_ask_for_what_is_exported(self):
        for board in self.boards.values():
            asked = [re.sub(r"label_values\((.*), \w+\)", r"\1", one["definition"])
                     for one in board["templating"]["list"] if one["type"] == "query"]
            asked += [one["expr"] for one in board["annotations"]["list"]]
            self.assertEqual([problem for one in asked for problem in catalogue.problems(one)], [])

    def test_panels_have_numbers_of_their_own_and_do_not_overlap(self):
        for name, board in self.boards.items():
            numbers = [panel["id"] for panel in board["panels"]]
            self.assertEqual(len(set(numbers)), len(numbers), name)
            cells = [(x, y) for panel in board["panels"] for x, y in covered(panel["gridPos"])]
            self.assertEqual(len(set(cells)), len(cells), name)
            self.assertLess(max(x for x, _ in cells), 24, name)

    def test_titles_in_a_row_differ_and_each_panel_says_what_it_tells(self):
        titles = [(query.dashboard, query.row, query.panel, query.legend, query.expression) for query in self.queries]
        self.assertEqual(len(set(titles)), len(titles))
        for board in self.boards.values():
            for panel in board["panels"]:
                self.assertTrue(panel["type"] == "row" or panel["description"], panel["title"])


def covered(place):
    return [(place["x"] + i, place["y"] + j) for i in range(place["w"]) for j in range(place["h"])]


if __name__ == "__main__":
    unittest.main()
