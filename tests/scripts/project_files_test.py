"""Files that a platform or a reader looks for: the CI workflow runs our scripts and trusts nothing that can change."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import outside  # noqa: E402

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
PINNED = re.compile(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


class Workflow(unittest.TestCase):
    def setUp(self):
        self.text = WORKFLOW.read_text()
        self.workflow = outside.module("yaml", "python3-yaml").safe_load(self.text)
        self.job = self.workflow["jobs"]["test"]

    def commands(self):
        return {step["run"]: step.get("if") for step in self.job["steps"] if "run" in step}

    def test_changes_run_ci_and_nights_all_tests(self):
        commands = self.commands()
        self.assertEqual(commands[".ci/run"], "env.NIGHTLY != 'true'")
        self.assertEqual(commands["scripts/test --full"], "env.NIGHTLY == 'true'")
        self.assertIn("github.event_name == 'schedule'", self.workflow["env"]["NIGHTLY"])
        when = self.workflow[True]  # YAML 1.1 takes `on` for a truth value
        self.assertLessEqual({"push", "pull_request", "schedule"}, when.keys())
        self.assertRegex(when["schedule"][0]["cron"], r"^\d+ \d+ \* \* \*$")

    def test_what_it_runs_is_there(self):
        for script in (".ci/run", "scripts/test"):
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        self.assertIn("--full", (ROOT / "scripts" / "test").read_text())

    def test_it_may_only_read_and_takes_actions_by_their_commit(self):
        self.assertEqual(self.workflow["permissions"], {"contents": "read"})
        self.assertNotIn("permissions", self.job)
        self.assertNotIn("secrets.", self.text)
        used = [line.strip().removeprefix("- ") for line in self.text.splitlines() if "uses:" in line]
        self.assertTrue(used)
        self.assertEqual([line for line in used if not PINNED.fullmatch(line)], [])


class Tracked(unittest.TestCase):
    @unittest.skipUnless((ROOT / ".git").exists(), "the sources are no clone")
    def test_what_is_built_is_not_committed(self):
        tracked = subprocess.run(["git", "-c", "safe.directory=*", "-c", "core.excludesFile=/dev/null", "-C", ROOT, "ls-files", "--cached", "--ignored", "--exclude-standard"],
                                 check=True, capture_output=True, text=True)
        self.assertEqual(tracked.stdout, "")


class Security(unittest.TestCase):
    def test_it_says_how_to_report_and_what_is_promised(self):
        text = (ROOT / "SECURITY.md").read_text()
        self.assertEqual(re.findall(r"(?m)^## (.*)$", text),
                         ["Reporting", "Versions", "What neardup promises", "How it is tested"])
        for link in re.findall(r"\]\(([^)#]+)", text):
            self.assertTrue((ROOT / link).exists(), link)
        for path in re.findall(r"`(/\w[^`]*/[^`]*)`", text):
            self.assertIn(path.lstrip("/").split("/")[0], ("usr", "var"), path)


if __name__ == "__main__":
    outside.or_skip("NEARDUP_REQUIRE_KUBERNETES", outside.module, "yaml", "python3-yaml")
    unittest.main()
