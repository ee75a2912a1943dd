"""Two releases beside each other (blue, green): alerts of each see its own instances, dashboards do not clash."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from chart import CHART, ROOT, render, yaml

sys.path.insert(0, str(ROOT / "tests" / "prometheus"))
import programs  # noqa: E402
from promql import uses  # noqa: E402

CASES = pathlib.Path(__file__).with_name("release_alerts.yaml")
ON = {"enabled": True}
VALUES = {"metrics": {"dashboards": ON, "rules": {**ON, "runbookUrl": "https://wiki.example/runbooks"}}}
MOST_OF_A_UID = 40  # Grafana's limit


def objects(release, namespace="s"):
    return render(VALUES, release=release, options=("--namespace", namespace))


def rules(release, **where):
    return objects(release, **where)["PrometheusRule", f"{release}-neardup"]["spec"]


def expressions(spec):
    return [rule["expr"] for group in spec["groups"] for rule in group["rules"]]


def boards(release, **where):
    """[(file of the sidecar, dashboard)]"""
    return [(file, json.loads(text)) for (kind, name), one in objects(release, **where).items()
            if kind == "ConfigMap" and "-dashboard-" in name for file, text in one["data"].items()]


class Alerts(unittest.TestCase):
    def test_those_of_a_release_fire_for_its_instances_and_no_others(self):
        with tempfile.TemporaryDirectory(prefix="rules-") as folder:
            for release in ("blue", "green"):
                (pathlib.Path(folder) / f"{release}.yaml").write_text(yaml.safe_dump(rules(release)))
            shutil.copy(CASES, folder)
            done = subprocess.run([programs.folder() / "promtool", "test", "rules", f"{folder}/{CASES.name}"],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_metric_in_them_is_limited_to_the_release(self):
        found = expressions(rules("blue"))
        self.assertGreater(len(found), 15)
        for expression in found:
            metrics, _ = uses(expression)
            self.assertTrue(metrics, expression)
            for name, matchers in metrics.items():
                self.assertLessEqual({("namespace", "s"), ("job", "blue-neardup")}, matchers, f"{name} in {expression}")

    def test_nothing_else_in_them_is_changed(self):
        plain = yaml.safe_load((CHART / "alerts" / "neardup.yaml").read_text())
        scope = 'namespace="s",job="blue-neardup"'
        unlimited = [expression.replace(f"{{{scope}}}", "").replace(f"{scope},", "")
                     for expression in expressions(rules("blue"))]
        self.assertEqual(unlimited, [expression.replace('{job=~".*neardup.*"}', "") for expression in expressions(plain)])

    def test_groups_carry_the_release(self):
        names = {group["name"] for release in ("blue", "green") for group in rules(release)["groups"]}
        plain = yaml.safe_load((CHART / "alerts" / "neardup.yaml").read_text())["groups"]
        self.assertEqual(names, {group["name"].replace("neardup", f"{release}-neardup")
                                 for group in plain for release in ("blue", "green")})


class Dashboards(unittest.TestCase):
    def test_uids_titles_and_files_are_different(self):
        found = boards("blue") + boards("green") + boards("blue", namespace="t") + boards("r" * 53)
        self.assertEqual(len(found), 4 * len(list(CHART.glob("dashboards/*.json"))))
        for distinct in ([file for file, _ in found], [board["uid"] for _, board in found],
                         [board["title"] for _, board in found]):
            self.assertEqual(len(set(distinct)), len(distinct), distinct)
        self.assertEqual([board["uid"] for _, board in found if len(board["uid"]) > MOST_OF_A_UID], [])

    def test_they_say_which_release_show_it_first_and_lead_to_each_other(self):
        for _, board in boards("blue"):
            self.assertRegex(board["title"], "^neardup s/blue-neardup / ")
            self.assertRegex(board["uid"], "^blue-neardup-")
            chosen = {variable["name"]: variable.get("current", {}).get("value")
                      for variable in board["templating"]["list"]}
            self.assertEqual((chosen["namespace"], chosen["job"]), (["s"], ["blue-neardup"]))
            self.assertEqual([link["tags"] for link in board["links"]], [["s/blue-neardup"]])
            self.assertIn("s/blue-neardup", board["tags"])


if __name__ == "__main__":
    programs.needed()
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
