"""Alerts: names that exist, cases that fire and that stay silent (tests/alerts), a page in docs/runbooks for each.

promtool runs the cases, and parses the queries of the dashboards too.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import boards
import catalogue
import programs
from programs import outside

ALERTS = boards.ROOT / "helm" / "neardup" / "alerts" / "neardup.yaml"
CASES = sorted((boards.ROOT / "tests" / "alerts").glob("*.yaml"))
RUNBOOKS = boards.ROOT / "docs" / "runbooks"
SECTIONS = ["What it means", "What users feel", "Look at", "What to do", "Escalate"]


def read_yaml(file):
    return outside.module("yaml", "python3-yaml").safe_load(file.read_text(encoding="utf-8"))


def rules():
    return [rule for group in read_yaml(ALERTS)["groups"] for rule in group["rules"]]


def promtool(*words):
    done = subprocess.run([programs.folder() / "promtool", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def asked(page):
    """What the commands of a page ask Prometheus."""
    return re.findall(r"promtool query instant \S+ '([^']+)'", page)


def check_panels(queries):
    return check_expressions([boards.filled(query.expression) for query in queries])


def check_expressions(expressions):
    """promtool's verdict on a rule file with each of them as a recording rule."""
    recorded = [{"record": f"query:{n}", "expr": expression} for n, expression in enumerate(expressions)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rules.yml"
        file.write_text(json.dumps({"groups": [{"name": "panels", "rules": recorded}]}))  # JSON is YAML
        return promtool("check", "rules", file)


class Alerts(unittest.TestCase):
    def test_promtool_accepts_the_rules(self):
        status, said = promtool("check", "rules", ALERTS)
        self.assertEqual(status, 0, said)

    def test_they_fire_and_stay_silent_as_the_cases_say(self):
        status, said = promtool("test", "rules", *CASES)
        self.assertEqual(status, 0, said)

    def test_each_has_a_case_in_which_it_fires_and_one_in_which_it_is_silent(self):
        fires, silent = set(), set()
        for case in [one for file in CASES for test in read_yaml(file)["tests"] for one in test["alert_rule_test"]]:
            (fires if case["exp_alerts"] else silent).add(case["alertname"])
        names = {rule["alert"] for rule in rules()}
        self.assertEqual((fires, silent), (names, names))

    def test_they_ask_for_metrics_and_labels_that_are_exported(self):
        known = catalogue.metrics()
        found = [f"{rule['alert']}: {problem}" for rule in rules()
                 for problem in catalogue.problems(rule["expr"], known)]
        self.assertEqual(found, [])

    def test_each_has_a_severity_and_says_what_happens_and_where_to_read_on(self):
        for rule in rules():
            self.assertIn(rule["labels"]["severity"], ("critical", "warning"), rule["alert"])
            self.assertEqual(rule["annotations"].keys(), {"summary", "description", "runbook"}, rule["alert"])
            self.assertEqual(rule["annotations"]["runbook"], f"docs/runbooks/{rule['alert']}.md")

    def test_each_has_a_page_and_each_page_an_alert(self):
        pages = {page.stem for page in RUNBOOKS.glob("*.md")} - {"README"}
        self.assertEqual(pages, {rule["alert"] for rule in rules()})
        listed = re.findall(r"\[(\w+)\]\((\w+)\.md\)", (RUNBOOKS / "README.md").read_text(encoding="utf-8"))
        self.assertEqual({name for name, _ in listed}, pages)
        self.assertTrue(all(name == file for name, file in listed))

    def test_each_page_has_all_sections_and_queries_of_metrics_that_are_exported(self):
        for name in sorted({rule["alert"] for rule in rules()}):
            text = (RUNBOOKS / f"{name}.md").read_text(encoding="utf-8")
            self.assertEqual(re.findall(r"^## (.*)$", text, re.MULTILINE), SECTIONS, name)
            for query in re.findall(r"(?<!`)`([^`\n]*\b(?:neardup|process)_[^`\n]*)`", text) + asked(text):
                self.assertEqual(catalogue.problems(query), [], f"{name}: {query}")

    def test_promtool_parses_the_queries_of_pages(self):
        queries = [query for page in RUNBOOKS.glob("*.md") for query in asked(page.read_text(encoding="utf-8"))]
        self.assertGreater(len(queries), 5)
        status, said = check_expressions(queries)
        self.assertEqual(status, 0, said)

    def test_panels_that_pages_name_exist(self):
        titles = {query.panel for query in boards.queries()}
        for page in RUNBOOKS.glob("Neardup*.md"):
            look = re.sub(r"(?ms)^ *```.*?```$", "", page.read_text(encoding="utf-8").partition("## Look at")[2])
            named = set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", look))
            self.assertTrue(named or page.stem == "NeardupAbsent", page.name)
            self.assertLessEqual(named, titles, page.name)


class Panels(unittest.TestCase):
    def test_promtool_parses_each_query(self):
        status, said = check_panels(boards.queries())
        self.assertEqual(status, 0, said)

    def test_not_ready_counts_instances_that_prometheus_does_not_see(self):
        query, = [one for one in boards.queries() if one.panel == "Not ready"]
        series = {"neardup_instances{job='n',instance='0',group='g'}": "2x10 stale",
                  "neardup_instances{job='n',instance='1',group='g'}": "2x20 stale",
                  "neardup_ready{job='n',instance='0'}": "1x10 stale",
                  "neardup_ready{job='n',instance='1'}": "1x5 0x5 1x10 stale"}
        wanted = {"4m": 0, "8m": 1, "15m": 1, "40m": 2}
        test = {"interval": "1m", "input_series": [{"series": name, "values": text} for name, text in series.items()],
                "promql_expr_test": [{"expr": boards.filled(query.expression), "eval_time": time,
                                      "exp_samples": [{"labels": "{}", "value": value}]} for time, value in wanted.items()]}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "test.yml"
            file.write_text(json.dumps({"tests": [test]}))
            self.assertEqual(promtool("test", "rules", file)[0], 0, promtool("test", "rules", file)[1])

    def test_promtool_would_complain(self):
        broken = boards.queries()[0]._replace(expression="sum by (x) rate(a[$__rate_interval])")
        self.assertEqual(check_panels([broken])[0], 1)


if __name__ == "__main__":
    programs.needed()
    outside.or_skip(programs.REQUIRED_BY, outside.module, "yaml", "python3-yaml")
    unittest.main()
