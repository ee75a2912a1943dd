"""Base of tests of docs/cluster.md: its file, and its commands with another broker and free ports."""

import os
import pathlib
import re
import shlex
import subprocess
import time

import service
from broker import die_with_parent
from service_case import ServiceCase

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cluster.md"
BLOCK = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")


def blocks_of(title, ends):
    """The blocks of code of a section, which goes up to `ends`."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n{title}\n")[2].partition(f"\n{ends}")[0]
    return [text for _, text in BLOCK.findall(section)]


class PageCase(ServiceCase):
    def setUp(self):
        super().setUp()
        self.file, self.init, self.serve, self.status, self.shown = blocks_of("## A tour", "### ")
        self.place = self.folder / self.name
        self.place.mkdir(parents=True)
        (self.place / "cluster.yaml").write_text(self.file.replace("localhost:9092", self.cluster.bootstrap))

    def words(self, line):
        program, *words = shlex.split(re.sub(r"127\.0\.0\.1:80\d\d", "127.0.0.1:0", line))
        self.assertEqual(program, "neardup")
        return [os.path.abspath(service.BINARY), *words]

    def run_line(self, text):
        line, = text.splitlines()
        done = subprocess.run(self.words(line), cwd=self.place, capture_output=True, text=True, timeout=service.PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_shell(self, text, path="", **variables):
        """A line of a shell that finds `neardup`, and the programs of the folder `path`; what it says on stderr."""
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        if not (programs / "neardup").is_symlink():
            (programs / "neardup").symlink_to(os.path.abspath(service.BINARY))
        environment = {**os.environ, **variables, "PATH": f"{programs}:{path}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", text], cwd=self.place, capture_output=True, text=True, timeout=4 * service.PATIENCE,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def start(self, line):
        with open(self.place / "log.jsonl", "ab") as log:
            process = subprocess.Popen(self.words(line), cwd=self.place, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       preexec_fn=die_with_parent)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.wait()

    def wait(self, condition, what):
        ends = time.monotonic() + service.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), ends, f"{what}: {(self.place / 'log.jsonl').read_text()[-3000:]}")

    def wait_topics(self, *names):
        self.wait(lambda: self.cluster.metadata().topics.keys() >= set(names), f"the topics {names}")

    def wait_flags(self, count):
        self.wait_topics("flags")
        with self.client.reader("flags") as reader:
            def there():
                reader.poll()
                return len(reader.messages) >= count

            self.wait(there, f"{count} flags")
