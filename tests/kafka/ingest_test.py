"""Documents that a service over Kafka takes by HTTP: they are messages of its input topic, and their flags come back."""

import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import re
import subprocess
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import trial  # noqa: E402

DOCS = (pathlib.Path(__file__).parents[2] / "docs/api.md").read_text()
COMMANDS = re.findall(r"```bash\n(.*?)```.*?```\n(.*?)```", DOCS, re.DOTALL)
USER, PASSWORD = "neardup", "right-horse-battery"
TOKEN = "token-of-these-tests"
PATH = "/v1/documents"
TEXT = "one two three four five six"
PLACES = ("after_write", "before_store", "after_store", "before_produce", "after_produce", "before_commit", "after_commit")


def body_of(lines):
    return b"".join(line + b"\n" for line in lines)


def record(name, text=TEXT, **more):
    return json.dumps({"id": name, "text": text, **more}).encode()


class IngestCase(trial.Trial):
    def ingesting(self, *topics, **keys):
        """A service, not yet started, that takes documents."""
        file = self.folder / "token"
        file.write_text(TOKEN + "\n")
        return self.service(*topics, **{"http__token_file": str(file), **keys})

    def send(self, service, body, path=PATH, timeout=120, **headers):
        """Status, lines of the answer, header fields. OSError, HTTPException: there is no answer."""
        address = service.address()
        if address is None:
            raise OSError("it does not listen")
        with contextlib.closing(http.client.HTTPConnection(address, timeout=timeout)) as connection:
            fields = {"Authorization": f"Bearer {TOKEN}", **{key.replace("_", "-"): headers[key] for key in headers}}
            connection.request("POST", path, body, fields, encode_chunked=not isinstance(body, bytes))
            reply = connection.getresponse()
            return reply.status, reply.read().splitlines(), dict(reply.getheaders())

    def write(self, service, body, path=PATH, **headers):
        """The places that the answer tells, as (topic, partition, offset)."""
        status, lines, _ = self.send(service, body, path, **headers)
        self.assertEqual(status, 202, lines[:3])
        return [tuple(json.loads(line).values()) for line in lines]

    def messages(self, topic):
        """By place."""
        return {message.place: message for message in self.direct.read_committed_all(topic)}

    def flags_by_place(self, service):
        """The values of the output topic, by the places of their messages."""
        values = [message.value for message in self.direct.read_committed_all(service.keys["kafka.output_topic"])]
        return {tuple(json.loads(value)["source"].values()): value for value in values}


class Writing(IngestCase):
    def test_documents_come_out_of_the_output_topic(self):
        topic = self.topic(3)
        lines = [line.value for line in documents.records(1500, 1)]
        with self.ingesting(topic) as service:
            service.wait_ready()
            places = self.write(service, body_of(lines))
            pieces = iter([body_of(lines)[:100], body_of(lines)[100:]])
            again = self.write(service, pieces)
            messages = self.messages(topic)
            self.assertEqual([messages[place].value for place in places + again], lines + lines)
            for place, record in zip(places, documents.records(1500, 1, keys=True)):
                self.assertIn(messages[place].key, (record.key, None))
            self.assertEqual(len(messages), 2 * len(lines))
            self.assertEqual({place[1] for place in places}, {0, 1, 2})
            self.finish(service)

    def test_the_latest_flags_are_those_that_are_delivered(self):
        with self.ingesting(self.topic(3)) as service:
            service.wait_ready()
            self.write(service, body_of(line.value for line in documents.records(1500, 1)))
            service.wait_flags(self.direct, 1500)
            service.wait_caught_up(self.cluster)
            status, page = service.get("/v1/flags?after=500&limit=1000")
            delivered = sorted(self.flag_records(service), key=lambda flag: flag["seq"])
            self.assertEqual(json.loads(page)["flags"], delivered[500:])
            self.finish(service)

    def test_one_object_and_one_text(self):
        topic = self.topic()
        with self.ingesting(topic) as service:
            service.wait_ready()
            object_ = json.dumps(json.loads(record("a")), indent=1).encode()
            places = self.write(service, object_, Content_Type="application/json")
            places += self.write(service, b'x "y" \\ z', PATH + "?id=b%2Fc&namespace=news", Content_Type="text/plain")
            places += self.write(service, "é".encode(), PATH + "?id=d", Content_Type="text/plain; charset=utf-8")
            messages = [self.messages(topic)[place] for place in places]
            self.assertEqual([message.key for message in messages], [b"a", b"b/c", b"d"])
            self.assertEqual(messages[0].value, object_)
            self.assertEqual([json.loads(message.value) for message in messages[1:]],
                             [{"id": "b/c", "namespace": "news", "text": 'x "y" \\ z'}, {"id": "d", "text": "é"}])
            self.finish(service)

    def test_raw_values(self):
        topic = self.topic()
        with self.ingesting(topic, input__format="raw") as service:
            service.wait_ready()
            places = self.write(service, TEXT.encode(), PATH + "?id=a&namespace=news", Content_Type="text/plain")
            body = body_of([record("b", namespace="old", ts="2026-01-02T03:04:05Z"), b"no JSON",
                            b'{"id":"b","delete":true}'])
            status, lines, _ = self.send(service, body)
            self.assertEqual(status, 202)
            self.assertEqual(json.loads(lines[1])["error"], "invalid_json")
            places += [tuple(json.loads(line).values()) for line in (lines[0], lines[2])]
            found = [self.messages(topic)[place] for place in places]
            self.assertEqual([(message.key, message.value) for message in found],
                             [(b"a", TEXT.encode()), (b"b", TEXT.encode()), (b"b", None)])
            self.assertEqual([message.header("neardup-namespace") for message in found], [b"news", b"old", None])
            self.assertEqual(found[1].timestamp, 1767323045000)
            service.wait_flags(self.direct, 3)
            self.assertEqual([flag["status"] for flag in self.flag_records(service)],
                             ["unique", "unique", "deleted"])

    def test_what_cannot_be_used(self):
        topic = self.topic(max_message_bytes=100_000)
        with self.ingesting(topic, input__max_record_bytes="1MiB") as service:
            service.wait_ready()
            body = body_of([record("a"), b"", b"  ", b"no JSON", record("b", "x " * 1_000_000),
                            record("c", "x " * 100_000), record("d")])
            status, lines, _ = self.send(service, body)
            self.assertEqual(status, 202)
            answers = [json.loads(line) for line in lines]
            self.assertEqual([answer.get("error") for answer in answers],
                             [None, None, "record_too_large", "refused", None])
            self.assertIn("input.max_record_bytes", answers[2]["detail"])
            self.assertEqual([message.value for message in self.messages(topic).values()],
                             [record("a"), b"no JSON", record("d")])
            self.finish(service)
            self.assertEqual([letter.value for letter in self.dead_letters(service)], [b"no JSON"])

    def test_who_may_write(self):
        topic = self.topic()
        with self.ingesting(topic) as service:
            service.wait_ready()
            self.assertEqual(self.send(service, record("a"), Authorization="Bearer x")[0], 401)
            self.assertEqual(self.send(service, record("a"), PATH + "?wait=5m")[0], 400)
            self.assertEqual(self.messages(topic), {})
            api = json.loads(service.get("/openapi.json")[1])
            self.assertEqual(sorted(api["paths"][PATH]["post"]["responses"])[:2], ["200", "202"])

    def test_brokers_that_are_away(self):
        topic = self.topic()
        librdkafka = {"message.timeout.ms": "2000"}
        with self.ingesting(topic, librdkafka=librdkafka) as service:
            service.wait_ready()
            self.write(service, record("a"))
            self.cluster.pause()
            try:
                status, lines, head = self.send(service, record("b"))
            finally:
                self.cluster.resume()
            self.assertEqual((status, head["Retry-After"]), (503, "1"), lines)
            self.assertEqual(json.loads(lines[0])["reason"], "not_in_topic")
            self.write(service, record("b"))
            self.finish(service)


class Waiting(IngestCase):
    def wait(self, service, body, path=PATH + "?wait=60s", **headers):
        """The flags, as lines, and the head of the answer."""
        status, lines, head = self.send(service, body, path, **headers)
        self.assertEqual(status, 200, lines[:3])
        return lines, head

    def test_flags_are_those_of_the_output_topic(self):
        topic = self.topic(3)
        lines = [line.value for line in documents.records(900, 2)]
        with self.ingesting(topic) as service:
            service.wait_ready()
            found = [flag for at in range(0, len(lines), 90) for flag in self.wait(service, body_of(lines[at:at + 90]))[0]]
            by_place = self.flags_by_place(service)
            messages = self.messages(topic)
            for line, flag in zip(lines, found, strict=True):
                place = tuple(json.loads(flag)["source"].values())
                self.assertEqual(flag, by_place[place])
                self.assertEqual(line, messages[place].value)
            self.finish(service)

    def test_the_head_counts_and_few_may_be_asked_for(self):
        topic = self.topic()
        with self.ingesting(topic, input__max_record_bytes="1KiB") as service:
            service.wait_ready()
            body = body_of([record("a"), record("b"), record("c", "x " * 1000), b"no JSON"])
            lines, head = self.wait(service, body)
            self.assertEqual(head["Neardup-Counts"], "unique=1, exact_duplicate=1, rejected=1")
            self.assertEqual([json.loads(line).get("status", "none") for line in lines],
                             ["unique", "exact_duplicate", "none", "rejected"])
            lines, _ = self.wait(service, body_of([record("a"), record("d")]), PATH + "?wait=60&only=exact_duplicate")
            self.assertEqual([json.loads(line)["id"] for line in lines], ["d"])
            lines, _ = self.wait(service, b"")
            self.assertEqual(lines, [])

    def test_many_clients_at_once(self):
        topic = self.topic(3)
        lines = [line.value for line in documents.records(800, 3)]
        with self.ingesting(topic) as service:
            service.wait_ready()
            parts = [lines[at:at + 10] for at in range(0, len(lines), 10)]
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                answers = list(pool.map(lambda part: self.wait(service, body_of(part))[0], parts))
            by_place = self.flags_by_place(service)
            messages = self.messages(topic)
            for line, flag in zip(lines, [flag for answer in answers for flag in answer], strict=True):
                place = tuple(json.loads(flag)["source"].values())
                self.assertEqual((flag, line), (by_place[place], messages[place].value))

    def test_the_commands_of_the_documentation(self):
        self.cluster.create_topic("docs", 1)
        with self.ingesting("docs") as service:
            service.wait_ready()
            for command, wanted in COMMANDS:
                there = command.replace("127.0.0.1:8080", service.address()).replace("curl ", "curl -sS ")
                done = subprocess.run(["bash", "-o", "pipefail", "-c", there], cwd=self.folder, timeout=60,
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, wanted)
        self.assertEqual(len(COMMANDS), 2)

    def test_what_is_not_waited_for(self):
        topic = self.topic(2)
        lines = [record(f"d{i}") for i in range(40)]
        with self.ingesting(topic, kafka__instances=2) as service:
            service.wait_ready()
            status, answer, _ = self.send(service, body_of(lines), PATH + "?wait=60s")
            self.assertEqual(status, 202)
            mine = [line for line, place in zip(lines, map(json.loads, answer)) if place["partition"] == 0]
            self.assertEqual(len(self.wait(service, body_of(mine))[0]), len(mine))
            many = [mine[0]] * 1001
            self.assertEqual(self.send(service, body_of(many), PATH + "?wait=60s")[0], 202)
            self.assertEqual(service.stop(), 0)

    def test_the_time_is_over(self):
        topic = self.topic()
        with self.ingesting(topic, batch__linger_ms=60_000, batch__documents=1000) as service:
            service.wait_ready()
            status, lines, _ = self.send(service, body_of([record("a")]), PATH + "?wait=1s")
            self.assertEqual((status, json.loads(lines[0])), (202, {"topic": topic, "partition": 0, "offset": 0}))


class Denied(IngestCase):
    options = {"users": {USER: PASSWORD}}

    def test_a_login_that_may_not_write(self):
        topic = self.topic()
        login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": USER,
                 "sasl.password": PASSWORD}
        made = self.ingesting(topic, librdkafka=login)
        group = made.keys["kafka.group_id"]
        for kind, name, *operations in (
                ("topic", topic, "read", "describe", "describe_configs"), ("group", group, "read"),
                *(("topic", made.keys[f"kafka.{kind}_topic"], "write", "describe", "describe_configs")
                  for kind in ("output", "dead_letter")),
                ("transactional_id", f"{group}/1/0", "write", "describe")):
            self.cluster.allow(USER, kind, name, *operations)
        with made as service:
            service.wait_ready()
            status, lines, head = self.send(service, record("a"))
            self.assertEqual((status, head["Retry-After"]), (503, "1"))
            answer = json.loads(lines[0])
            self.assertEqual(answer["reason"], "may_not_write")
            self.assertIn(topic, answer["detail"])
            self.cluster.allow(USER, "topic", topic, "write")
            service.wait_until(lambda: self.send(service, record("a"))[0] == 202, "the permission")
            self.assertEqual([message.value for message in self.messages(topic).values()], [record("a")])
            self.assertEqual(service.stop(), 0)


class Kills(IngestCase):
    """Clients ask again after each kill: each document is decided once, and what is told is what the topic has."""

    def check_kills(self, place):
        topic = self.topic(3)
        service = self.ingesting(topic)
        lines = [record(f"d{i}", f"{TEXT} {i // 3} seven eight nine {i // 5}") for i in range(200)]
        kills = [1, 2, 1, 3]
        told = []

        def start():
            service.start({"NEARDUP_FAILPOINT": f"{place}:{kills.pop(0)}"} if kills else None)

        def ask(part):
            while True:
                try:
                    status, flags, _ = self.send(service, body_of(part), PATH + "?wait=60s", timeout=60)
                    if status == 200:
                        return flags
                    self.assertEqual(status, 503)
                except (OSError, http.client.HTTPException):
                    pass
                if not service.running():
                    self.assertEqual(service.wait_exit(), -9)
                    start()

        start()
        for at in range(0, len(lines), 10):
            told += ask(lines[at:at + 10])
        self.assertEqual(kills, [])
        by_place = self.flags_by_place(service)
        for flag in told:
            self.assertEqual(flag, by_place[tuple(json.loads(flag)["source"].values())])
        self.assertEqual([json.loads(flag)["id"] for flag in told], [f"d{i}" for i in range(200)])
        decided = [flag["id"] for flag in self.flag_records(service) if flag["status"] != "unchanged"]
        self.assertEqual(sorted(decided), sorted(f"d{i}" for i in range(200)))
        self.finish(service)


for place in PLACES:
    setattr(Kills, f"test_{place}", lambda self, place=place: self.check_kills(place))

if __name__ == "__main__":
    unittest.main()
