"""`neardup sketch --to-log`: files beside topics as sources of one log. Each record counts once, whatever is run again."""

import gzip
import json
import os
import signal
import subprocess
import threading
import time
import unittest

import needs

needs.broker()
import cluster_log  # noqa: E402
import documents  # noqa: E402
import service  # noqa: E402
from broker import die_with_parent  # noqa: E402
from decider_case import DeciderCase  # noqa: E402
from files import content, lines_of, records_of, source_of  # noqa: E402

RECORDS = 600  # of the topic, and of each file
USAGE, UNREADABLE, AGAIN, WRONG = 64, 65, 75, 78
MOST_POSITION_BYTES = 512 << 10
LOG_IS_FULL = "log is full"


class Backfill(DeciderCase):
    def write(self, name, data):
        path = self.folder / self.name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def begin(self, *paths, environment=None, options=()):
        """A run of the command over these files."""
        process = subprocess.Popen([service.BINARY, "sketch", "--to-log", "-c", self.init_file, *options, *paths],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **(environment or {})}, preexec_fn=die_with_parent)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end(self, process, status=0):
        """What it says on stderr."""
        out, said = process.communicate(timeout=service.PATIENCE)
        self.assertEqual((process.returncode, out), (status, ""), said)
        return said

    def sketch(self, *paths, status=0, **more):
        return self.end(self.begin(*paths, **more), status)

    def shown(self):
        """`neardup cluster status --json`."""
        return json.loads(self.cluster_command("status", "--json").stdout)

    def messages(self):
        """How many the log has."""
        return len(self.client.read_committed_all(f"{self.name}.log"))

    def accepted(self):
        """The log as its readers count it."""
        status = self.shown()
        log = cluster_log.Log(status["uuid"], status["rule"])
        for message in self.client.read_committed_all(f"{self.name}.log"):
            log.take(message.value)
        return log

    def decide(self, positions, offset):
        """Says that the log is decided up to `offset`, and its sources are at these positions."""
        status = self.shown()
        decided = cluster_log.Decided(status["rule"], 1, 1, offset, positions, 1, 0)
        self.client.produce(f"{self.name}.decisions", [cluster_log.encode_decided(status["uuid"], decided)])

    def assert_in_log(self, records):
        """Each of these counts once, and those of a file in their order."""
        log = self.accepted()
        self.assertEqual(sorted(record.place for record in log.accepted), sorted(record.place for record in records))
        for source in {record.topic for record in records}:
            offsets = [record.offset for record in log.accepted if record.topic == source]
            self.assertEqual(offsets, sorted(offsets))
        return log


class Flags(Backfill):
    def test_files_and_topics_are_one_order(self):
        """Two commands over two files each, beside a sketcher at work."""
        self.make_cluster()
        texts = [lines_of(seed, RECORDS) for seed in (1, 2, 3, 4)]
        data = [content(lines) for lines in texts]
        files = [self.write("part 0.jsonl", data[0]), self.write("part-1.jsonl.gz", gzip.compress(data[1])),
                 self.write("part-2.jsonl", data[2].rstrip(b"\n")), self.write("part-3.jsonl.zst", self.zstd(data[3]))]
        records = [record for path, lines in zip(files, texts) for record in records_of(path, lines)]
        running = [self.role(role, role).start() for role in ("sketcher", "decider")]
        feed = threading.Thread(target=self.feed)
        feed.start()
        commands = [self.begin(*files[:2]), self.begin(*files[2:])]
        said = [self.end(command) for command in commands]
        feed.join()
        self.wait_decided(RECORDS + len(records), running[1])
        outputs = self.check_flags(more=records)
        self.assertGreater(self.changes_of_source(outputs), 2, "they were one after the other")
        for text in said:
            self.assertIn(f"{2 * RECORDS} records appended to {self.name}.log", text)
        for process in running:
            self.assertEqual(process.stop(), 0, process.log_text()[-3000:])
        found = {source["topic"]: source for source in self.shown()["sources"]}
        self.assertEqual(found[source_of(files[2])], {"topic": source_of(files[2]), "partition": 0, "committed": None,
                                                      "accepted": len(texts[2]) + 1, "end": None})
        self.assertEqual(found[self.docs]["end"], found[self.docs]["accepted"])

    def feed(self):
        records = documents.records(RECORDS, seed=9, keys=True, partitions=4)
        for begin in range(0, RECORDS, 100):
            self.client.produce(self.docs, records[begin:begin + 100])
            time.sleep(0.1)

    @staticmethod
    def zstd(data):
        return subprocess.run(["zstd", "-c"], input=data, check=True, capture_output=True).stdout

    @staticmethod
    def changes_of_source(outputs):
        flags = sorted((json.loads(message.value) for message in outputs), key=lambda flag: int(flag["seq"]))
        sources = [flag["source"]["topic"] for flag in flags]
        return sum(a != b for a, b in zip(sources, sources[1:]))

    def full(self, count=6000):
        """A command that waits, since the log is full; its file, the lines of it."""
        self.make_cluster(cluster__log__max_lag="1MiB")
        text = "The words of this document are its own, and so are those of no other {}."
        lines = [json.dumps({"id": f"d{i}", "text": text.format(i)}).encode() for i in range(count)]
        path = self.write("large.jsonl", content(lines))
        command = self.begin(path)
        while LOG_IS_FULL not in (line := command.stderr.readline()):
            self.assertTrue(line, "it ended")
        return command, path, lines

    def test_it_waits_while_too_much_of_the_log_is_undecided(self):
        command, path, lines = self.full()
        count = len(lines)
        waiting = len(self.accepted().accepted)
        self.assertLess(waiting, count)
        time.sleep(1)
        self.assertEqual(len(self.accepted().accepted), waiting)
        decider = self.role("decider", "decider").start()
        self.end(command)
        self.wait_decided(count, decider)
        self.assert_in_log(records_of(path, lines))

    def test_what_is_passed_over_asks_for_another_run(self):
        command, *_ = self.full()
        self.decide({}, 1_000_000)
        self.assertIn("the readers of the log have skipped appended records", self.end(command, AGAIN))


class Again(Backfill):
    def setUp(self):
        super().setUp()
        self.lines = lines_of(1, RECORDS)

    def made(self):
        self.make_cluster(batch__in_flight=1)  # so that it is known how far a command is when it ends
        return self.write("part.jsonl", content(self.lines))

    def wait_stopped(self, process):
        found = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.assertEqual(found.si_code, os.CLD_STOPPED)

    def test_nothing_is_appended_twice(self):
        path = self.made()
        self.sketch(path)
        log = self.assert_in_log(records_of(path, self.lines))
        self.assertEqual(log.count("chunk"), len(log.outcomes))
        there = self.messages()
        elsewhere = self.write(f"worker/{path.name}", path.read_bytes())
        self.assertIn(f"{RECORDS}  in the log already", self.sketch(elsewhere))
        self.assertEqual(self.messages(), there, "before it is decided")
        decider = self.role("decider", "decider").start()
        self.wait_decided(RECORDS, decider)
        said = self.sketch(path, elsewhere)
        self.assertIn("0 records appended", said)
        self.assertIn(f"{2 * RECORDS}  in the log already", said)
        self.assertEqual(self.messages(), there, "once it is decided")
        self.check_flags(more=records_of(path, self.lines))

    def test_a_file_of_another_content_is_another_source(self):
        path = self.made()
        self.sketch(path)
        records = records_of(path, self.lines)
        changed = self.lines[:10] + [b'{"id":"new","text":"a document that was not there before"}']
        self.write(path.name, content(changed))
        self.sketch(path)
        self.assert_in_log(records + records_of(path, changed))

    def test_after_a_kill_it_goes_on(self):
        path = self.made()
        for place in ("after_append:2", "before_log_commit:2", "after_append:3", "before_log_commit:1"):
            process = self.begin(path, environment={"NEARDUP_FAILPOINT": place})
            process.communicate(timeout=service.PATIENCE)
            self.assertEqual(process.returncode, -signal.SIGKILL, place)
        there = len(self.accepted().accepted)
        self.assertTrue(0 < there < RECORDS, there)
        self.assertIn(f"{there}  in the log already", self.sketch(path))
        log = self.assert_in_log(records_of(path, self.lines))
        self.assertEqual(log.count("gap"), 0)
        decider = self.role("decider", "decider").start()
        self.wait_decided(RECORDS, decider)
        self.check_flags(more=records_of(path, self.lines))

    def test_after_a_signal_it_goes_on(self):
        path = self.made()
        process = self.begin(path, environment={"NEARDUP_FAILPOINT": "before_log_commit:2:stop"})
        self.wait_stopped(process)
        process.terminate()
        process.send_signal(signal.SIGCONT)
        self.assertIn("records appended", self.end(process, 128 + signal.SIGTERM))
        self.assertLess(len(self.accepted().accepted), RECORDS)
        self.sketch(path)
        self.assert_in_log(records_of(path, self.lines))

    def test_two_of_the_same_file_at_once(self):
        path = self.made()
        first = self.begin(path, environment={"NEARDUP_FAILPOINT": "before_log_commit:3:stop"})
        self.wait_stopped(first)
        second = self.begin(path, environment={"NEARDUP_FAILPOINT": "before_log_commit:2:stop"})
        self.wait_stopped(second)
        for process in (first, second):
            process.send_signal(signal.SIGCONT)
        for process in (first, second):
            self.end(process)
        log = self.assert_in_log(records_of(path, self.lines))
        self.assertGreater(log.count("seen"), 0)
        self.assertEqual(log.count("gap"), 0)


class Refusals(Backfill):
    GOOD = b'{"id":"a","text":"a document"}\n'

    def assert_nothing_in_log(self):
        self.assertEqual(self.messages(), 0)

    def test_without_to_log_it_says_what_it_is_for(self):
        done = subprocess.run([service.BINARY, "sketch", self.write("a.jsonl", self.GOOD)], capture_output=True, text=True,
                              timeout=service.PATIENCE)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--to-log is needed", done.stderr)

    def test_another_rule(self):
        self.make_cluster()
        said = self.sketch(self.write("a.jsonl", self.GOOD), status=WRONG, options=["--set", "threshold=0.9"])
        self.assertIn(f"has the rule {self.shown()['rule']}, and the configuration gives the rule ", said)
        self.assert_nothing_in_log()

    def test_no_cluster(self):
        self.docs, self.out, self.dead, self.keys = self.topic(), self.topic("out"), self.topic("dead"), {}
        path = self.write("a.jsonl", self.GOOD)
        self.init_file.write_text(json.dumps(service.nested(self.keys_of("decider", "init"))))
        self.assertIn("Run `neardup cluster init` first", self.sketch(path, status=WRONG))

    def test_all_of_the_first_records_are_rejected(self):
        self.make_cluster()
        bad = b'{"id":"a","content":"a document"}\n'
        path = self.write("bad.jsonl", 1000 * bad + self.GOOD)
        said = self.sketch(path, status=UNREADABLE)
        self.assertIn("nothing was appended, since of the first 1000 records every record was rejected (1000 of 1000 with "
                      f"missing_text); in {path}, line 1", said)
        self.assertIn("input.text_field=/content", said)
        self.assertIn("of the first 2 records every", self.sketch(self.write("few.jsonl", 2 * bad), status=UNREADABLE))
        self.assert_nothing_in_log()
        self.assertIn("1000  rejected", self.sketch(path, options=["--allow-all-rejected"]))
        self.sketch(self.write("late.jsonl", 999 * bad + self.GOOD))
        log = self.accepted()
        self.assertEqual(len(log.accepted), 2001)
        self.assertEqual([record.reason for record in log.accepted[:1001]], 1000 * ["missing_text"] + [""])
        self.assertEqual(self.client.read_committed_all(self.dead), [])

    def test_what_cannot_be_read(self):
        self.make_cluster()
        good = self.write("a.jsonl", self.GOOD)
        missing = good.with_name("missing.jsonl")
        self.assertIn(f"cannot read {missing}", self.sketch(good, missing, status=UNREADABLE))
        self.assert_nothing_in_log()
        self.assertIn("- is not a file", self.sketch("-", status=USAGE))
        pipe = good.with_name("pipe")
        os.mkfifo(pipe)
        self.assertIn(f"{pipe} is not a file", self.sketch(pipe, status=USAGE))
        self.assertIn("`input.format: raw` is for messages",
                      self.sketch(good, status=WRONG, options=["--set", "input.format=raw"]))
        self.assert_nothing_in_log()

    def test_what_comes_before_damage_is_appended(self):
        self.make_cluster()
        lines = lines_of(1, RECORDS)
        whole = gzip.compress(content(lines))
        path = self.write("cut.jsonl.gz", whole[:len(whole) // 2])
        self.assertIn(str(path), self.sketch(path, status=UNREADABLE))
        there = len(self.accepted().accepted)
        self.assertGreater(there, 0)
        self.assert_in_log(records_of(path, lines)[:there])

    def test_more_sources_than_a_cluster_can_have(self):
        self.make_cluster()
        line = len(f"file:part-00000.jsonl#{0:016x} 0 1000\n")
        count = MOST_POSITION_BYTES // line
        positions = {(f"file:part-{i:05}.jsonl#{i:016x}", 0): 1000 for i in range(count)}
        self.decide(positions, 0)
        said = self.sketch(self.write("part-99999.jsonl", self.GOOD), status=USAGE)
        self.assertIn(f"the cluster has {count} sources already", said)
        self.assertIn(f"above {MOST_POSITION_BYTES} no more files are appended", said)
        self.assert_nothing_in_log()
        self.assertEqual({source["end"] for source in self.shown()["sources"] if source["topic"] != self.docs}, {None})
        text = self.cluster_command("status").stdout
        self.assertEqual(text.count("file:part-"), 10)
        self.assertIn(f"and {count - 10} more files with {(count - 10) * 999} records\n", text)


if __name__ == "__main__":
    unittest.main()
