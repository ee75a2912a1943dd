"""Commands on the state of a service that runs: stats, explain, delete, backup; and the restored backup in its place."""

import fcntl
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import urllib.error
import urllib.request

import needs

needs.broker()
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import fault_case  # noqa: E402
import oracle_test as oracles  # noqa: E402
import service as services  # noqa: E402

TEXT = "a text of its own, number {0} of many, told at some length: {1}"
PIECE = 60  # documents


def text(i):
    return TEXT.format(i, " ".join(f"w{(i * 7919 + j * j) % 50021}" for j in range(60)))


def documents(first, count=PIECE):
    return [json.dumps({"id": f"d{i}", "text": text(i)}).encode() for i in range(first, first + count)]


def copies(first, count=PIECE, name="copy"):
    return [json.dumps({"id": f"{name} of d{i}", "text": text(i)}).encode() for i in range(first, first + count)]


def first_versions(lines):
    """Lines without deletes and later versions, so that only commands delete documents."""
    seen = set()
    for line in lines:
        record = {} if line in oracles.REJECTED else json.loads(line)
        name = record.get("namespace"), record.get("id")
        if not record.get("delete") and name not in seen:
            yield line
        seen.add(name)


class ControlCase(fault_case.FaultCase):
    def command(self, *words):
        return subprocess.run([services.BINARY, *map(str, words)], capture_output=True, text=True, timeout=120)

    def succeed(self, *words):
        done = self.command(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def state(self, service):
        return pathlib.Path(service.keys["storage.path"])

    def on(self, service, command, *words):
        return self.succeed(command, "--state", self.state(service), *words)

    def serving(self, *records, **keys):
        """A service that has flagged these records and waits for more."""
        topic = self.topic()
        self.fill(topic, list(records))
        service = self.service(topic, **keys)
        service.start()
        service.wait_flags(self.direct, len(records))
        return service

    def feed(self, service, records):
        """More records, until they are flagged."""
        self.fill(service.keys["kafka.topics"][0], records)
        service.wait_caught_up(self.cluster)

    def statuses(self, service):
        return {flag["id"]: flag["status"] for flag in self.flag_records(service)}

    def post(self, service, path, body, token):
        request = urllib.request.Request(f"http://{service.address()}{path}", json.dumps(body).encode(),
                                         {"Authorization": f"Bearer {token}"}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


class Running(ControlCase):
    def test_commands_ask_the_service_that_holds_the_state(self):
        service = self.serving(*documents(0), storage__keep_texts=True)
        stats = json.loads(self.on(service, "stats", "--json"))
        self.assertEqual((stats["documents"], stats["next_seq"]), (PIECE, PIECE + 1))
        self.assertIn(f"documents    {PIECE}\n", self.on(service, "stats"))
        self.assertIn("exact Jaccard    0.", self.on(service, "explain", "d0", "d1"))
        unknown = self.command("explain", "--state", self.state(service), "d0", "nobody")
        self.assertEqual((unknown.returncode, unknown.stderr), (64, "neardup: nobody: the state has no such id\n"))
        self.finish(service)

    def test_a_check_is_the_flag_of_the_next_message(self):
        service = self.serving(*documents(0))
        changed = json.dumps({"id": "d5", "text": text(9)}).encode()
        for asked in (copies(7, 1)[0], changed, b"no record"):
            request = urllib.request.Request(f"http://{service.address()}/v1/check", asked, method="POST")
            with urllib.request.urlopen(request, timeout=60) as answer:
                check = json.loads(answer.read())
            self.feed(service, [asked])
            flag = self.flag_records(service)[-1]
            self.assertEqual(check.pop("as_of_seq") + 1, flag.pop("seq"))
            for one in (check, flag):
                del one["source"]
            self.assertEqual(check, flag)
        self.finish(service)

    def test_a_flagged_message_is_read_again_by_its_source(self):
        service = self.serving(*documents(0), *copies(7, 1), storage__keep_texts="kept")
        flag = self.flag_records(service)[-1]
        source = flag["source"]
        self.assertEqual(flag["duplicate_of"], "d7")

        def compare(a):
            request = urllib.request.Request(f"http://{service.address()}/v1/compare", json.dumps({"a": a, "b": "d7"}).encode())
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status, json.loads(answer.read())
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, json.loads(error.read())
        status, known = compare(flag["id"])
        self.assertEqual((status, known["a"]["text"], known["same_content"]), (200, False, True))
        status, again = compare({"source": source})
        self.assertEqual((status, again["exact"]["similarity"]), (200, 1))
        self.assertEqual(again["passages"]["shared"][0]["text"], text(7))
        for other in ({"topic": "another"}, {"offset": 10**6}, {"partition": 2**31}, {"offset": 2**63}):
            status, problem = compare({"source": {**source, **other}})
            self.assertEqual((status, problem["reason"]), (422, "no_answer"), problem)
        position = f"@kafka:{source['topic']}/{source['partition']}/{source['offset']}"
        done = self.succeed("explain", "-c", service.folder / "config.yaml", "--state", self.state(service), position, "d7")
        self.assertIn("the normalised texts are equal", done)
        refused = self.command("explain", "--state", self.state(service), position, "d7")
        self.assertEqual(refused.returncode, 78)
        self.assertIn("`kafka.brokers` is missing", refused.stderr)
        self.finish(service)

    def test_a_delete_reaches_the_next_decision(self):
        service = self.serving(*documents(0))
        done = self.command("delete", "--state", self.state(service), "d3", "nobody", "d3")
        self.assertEqual((done.returncode, done.stderr), (0, "neardup: nobody: the state has no such id\n"))
        self.assertTrue(done.stdout.startswith("deleted 1 of 2\n"), done.stdout)
        self.feed(service, copies(0))
        said = self.statuses(service)
        self.assertEqual(said["copy of d3"], "unique")
        self.assertEqual(said["copy of d4"], "exact_duplicate")
        self.assertEqual(service.stop(), 0)
        self.assertEqual(json.loads(self.on(service, "stats", "--json"))["deleted_by_command"], 1)

    def test_flags_after_deletes_agree_with_a_comparison_of_everything_with_everything(self):
        oracle = oracles.SketchOracle("0.7", True, "sketch", oracles.Bands(cap=1))
        lines = list(first_versions(oracles.Corpus(oracles.SEED + 4).lines(700)))
        pieces = [lines[at:at + 120] for at in range(0, len(lines), 120)]
        keys = dict(setting.replace(".", "__").split("=") for setting in oracles.band_sets(oracle.bands))
        service = self.serving(*pieces[0], against="all", threshold="0.7", **keys)
        wanted = [oracle.decide(line) for line in pieces[0]]
        for piece in pieces[1:]:
            for space in ("", "news"):
                names = sorted(name for key, name in oracle.living if key == space)[::3]
                self.on(service, "delete", "--namespace", space, *names)
                for name in names:
                    oracle.delete(space, name)
            self.feed(service, piece)
            wanted += [oracle.decide(line) for line in piece]
        self.assertEqual(service.stop(), 0)
        flags = self.flag_records(service)
        self.assertGreater(oracle.capped, 100)
        oracles.BucketsAndSketches.compare(self, oracle, wanted, flags)

    def test_deletes_come_through_while_documents_come(self):
        service = self.serving(*documents(0, 1000))
        for i in range(10):
            self.fill(service.keys["kafka.topics"][0], documents(1000 + 500 * i, 500))
            self.on(service, "delete", *(f"d{100 * i + j}" for j in range(100)))
        service.wait_caught_up(self.cluster)
        stats = json.loads(self.on(service, "stats", "--json"))
        self.assertEqual((stats["deleted_by_command"], stats["ids"]), (1000, 5000))
        self.assertEqual(service.stop(), 0)
        self.assertEqual(len((self.state(service) / "deletes").read_text().splitlines()), 1001)

    def test_the_control_file_is_the_owners_and_ends_with_the_service(self):
        service = self.serving(*documents(0))
        file = self.state(service) / "control"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        said = json.loads(file.read_text())
        self.assertEqual(said["url"], f"http://{service.address()}")
        self.assertEqual(self.post(service, "/v1/control/stats", {}, said["token"])[1]["documents"], PIECE)
        self.assertEqual(service.stop(), 0)
        self.assertFalse(file.exists())

    def test_only_who_knows_a_token_gets_in(self):
        secret = self.folder / "token"
        secret.write_text("operators-token-1\n")
        service = self.serving(*documents(0), http__token_file=str(secret))
        path = "/v1/control/delete"
        for wrong in ("", "operators-token-2", "operators-token-1x"):
            self.assertEqual(self.post(service, path, {"ids": ["d1"]}, wrong)[0], 401)
        self.assertEqual(service.get(path)[0], 405)
        self.assertEqual(self.post(service, path, {}, "operators-token-1")[0], 400)
        self.assertEqual(self.post(service, path, {"ids": ["d1"]}, "operators-token-1"),
                         (200, {"deleted": 1, "documents": 1, "text_bytes": len(text(1)) - 3, "unknown": []}))
        self.assertNotIn("operators-token-1", service.log_text())

    def test_what_a_killed_service_left_is_not_believed(self):
        service = self.serving(*documents(0))
        service.kill()
        self.assertTrue((self.state(service) / "control").exists())
        self.assertIn("deleted 1 of 1\n", self.on(service, "delete", "d1"))
        with open(self.state(service) / "LOCK", "r+b") as lock:  # another process holds the state now
            fcntl.lockf(lock, fcntl.LOCK_EX)
            for command in (["delete", "d2"], ["backup", self.folder / "backup"]):
                done = self.command(command[0], "--state", self.state(service), *command[1:])
                self.assertEqual(done.returncode, 75)
                self.assertIn(f"is in use by process {os.getpid()}", done.stderr)
            self.assertIn(f"documents    {PIECE - 1}\n", self.on(service, "stats"))
        service.start().wait_ready()
        self.assertIn("deleted 1 of 1\n", self.on(service, "delete", "d2"))

    def test_while_it_waits_for_brokers_it_says_so(self):
        service = self.serving(*documents(0))
        self.assertEqual(service.stop(), 0)
        service.keys["kafka.brokers"] = "127.0.0.1:1"
        service.start()
        service.wait_until(lambda: (self.state(service) / "control").exists(), "the control file")
        done = self.command("delete", "--state", self.state(service), "d1")
        self.assertEqual(done.returncode, 75)
        self.assertIn("connecting to Kafka", done.stderr)
        self.assertIn(f"documents    {PIECE}\n", self.on(service, "stats"))


class Restored(ControlCase):
    def replace(self, service, backup, *options):
        """The state is lost but for its log of deletes; the backup takes its place."""
        state, old = self.state(service), self.folder / "old"
        shutil.rmtree(old, ignore_errors=True)
        state.rename(old)
        return self.succeed("restore", "--state", state, *options, backup)

    def begun(self):
        """A service with a backup, and after it documents, a delete of an old and a new one, and copies of both."""
        service = self.serving(*documents(0), batch__documents=17)
        backup = self.folder / "backup"
        self.assertIn(f"{PIECE} documents, up to seq {PIECE};", self.on(service, "backup", backup))
        self.feed(service, documents(PIECE) + copies(0, 10))
        self.on(service, "delete", "d3", f"d{PIECE + 3}", "copy of d5")
        self.feed(service, copies(0, 2 * PIECE, "other copy"))
        service.kill()
        return service, backup

    def test_an_older_state_decides_again_what_was_delivered_and_sends_nothing_twice(self):
        service, backup = self.begun()
        before = self.flag_records(service)
        said = self.replace_with_log(service, backup)
        self.assertIn(f"3 deletes by command will be repeated at their places, when the input has been read again up to seq "
                      f"{2 * PIECE + 10}\n", said)
        service.start().wait_ready()
        service.wait_caught_up(self.cluster)
        self.feed(service, documents(3 * PIECE) + copies(3 * PIECE))
        after = self.flag_records(service)
        self.assertEqual(after[:len(before)], before)
        self.assertEqual([flag["seq"] for flag in after], list(range(1, len(after) + 1)))
        self.assertEqual(service.events("recovered")[0]["replay"], True)
        said = self.statuses(service)
        self.assertEqual((said["copy of d3"], said["other copy of d3"]), ("exact_duplicate", "unique"))
        self.assertEqual(service.stop(), 0)
        stats = json.loads(self.on(service, "stats", "--json"))
        self.assertEqual(stats["deleted_by_command"], 3)

    def replace_with_log(self, service, backup):
        log = self.folder / "deletes"
        shutil.copy(self.state(service) / "deletes", log)
        return self.replace(service, backup, "--deletes", log)

    def test_killed_while_it_catches_up_it_goes_on(self):
        service, backup = self.begun()
        before = self.flag_records(service)
        self.replace_with_log(service, backup)
        for place in ("before_store", "after_store"):
            self.kill_at(service, place, 3)
        service.start().wait_ready()
        service.wait_caught_up(self.cluster)
        self.feed(service, documents(3 * PIECE))
        self.assertEqual(self.flag_records(service)[:len(before)], before)

    def test_without_the_log_it_is_refused_since_other_flags_would_follow(self):
        service, backup = self.begun()
        self.replace(service, backup)
        service.start()
        self.assertEqual(service.wait_exit(), 75)
        self.assertIn("does not lead to the flags that were delivered", service.log_text())

    def test_a_hot_backup_of_several_partitions_catches_up(self):
        for partitions in (2, 16):
            topic = self.topic(partitions, f"docs{partitions}")
            self.fill(topic, documents(0))
            service = self.service(topic, label=f"-{partitions}", group=f"{self.name}-{partitions}", batch__documents=17)
            service.start()
            service.wait_flags(self.direct, PIECE)
            backup = self.folder / f"backup{partitions}"
            self.on(service, "backup", backup)
            self.feed(service, documents(PIECE) + copies(0, 10))
            service.kill()
            before = self.flag_records(service)
            self.replace(service, backup)
            service.start().wait_ready()
            self.feed(service, documents(3 * PIECE) + copies(3 * PIECE))
            self.assertEqual(self.flag_records(service)[:len(before)], before)
            self.assertEqual(service.events("recovered")[0]["replay"], True)
            self.finish(service)

    def test_a_backup_of_now_goes_on_as_if_nothing_had_happened(self):
        service = self.serving(*documents(0))
        backup = self.folder / "backup"
        self.on(service, "backup", backup)
        self.assertEqual(service.stop(), 0)
        self.replace(service, backup)
        service.start().wait_ready()
        self.feed(service, copies(0))
        self.finish(service)

    def test_backups_while_documents_come_are_all_whole(self):
        service = self.serving(*documents(0), batch__documents=100)
        for i in range(1, 6):
            self.fill(service.keys["kafka.topics"][0], documents(1000 * i, 500))
            self.on(service, "backup", self.folder / f"backup{i}")
        service.wait_caught_up(self.cluster)
        self.assertFalse((self.state(service) / "backup").exists())
        self.finish(service)
        last = 0
        for i in range(1, 6):
            state = self.folder / f"restored{i}"
            self.succeed("restore", "--state", state, self.folder / f"backup{i}")
            stats = json.loads(self.succeed("stats", "--state", state, "--json"))
            self.assertEqual(stats["documents"], stats["next_seq"] - 1)
            self.assertGreaterEqual(stats["next_seq"], last)
            last = stats["next_seq"]


if __name__ == "__main__":
    fault_case.main()
