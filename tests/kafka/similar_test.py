"""`neardup similar` on the state of a service that runs, which answers itself, and the index of keywords that it keeps."""

import json
import threading

import control_test
import fault_case
from control_test import PIECE, documents, text

MANY = 17_000  # enough for a segment


def relative(i):
    """A document whose text shares about half of its shingles with that of document i."""
    words = text(i).split()
    return json.dumps({"id": f"r{i}", "text": " ".join(f"new{j}" if j % 15 == 7 else word
                                                       for j, word in enumerate(words))}).encode()


class SimilarBesideAService(control_test.ControlCase):
    def hits(self, service, name, engine):
        answer = json.loads(self.on(service, "similar", "--json", "--engine", engine, "--id", name))
        self.assertIn(answer["engine"], ("scan", "match"))
        return [hit["id"] for hit in answer["hits"]]

    def test_a_delete_and_a_new_version_are_seen_by_the_next_query(self):
        service = self.serving(*documents(0), *map(relative, range(20)), similar__index="on")
        for engine in ("scan", "match"):
            self.assertEqual(self.hits(service, "d3", engine)[0], "r3")
        self.on(service, "delete", "r3")
        other = json.dumps({"id": "r4", "text": " ".join(f"other{i}" for i in range(60))}).encode()
        self.feed(service, [other, *map(relative, range(20, 25))])
        for engine in ("scan", "match"):
            self.assertNotIn("r3", self.hits(service, "d3", engine))
            self.assertNotIn("r4", self.hits(service, "d4", engine))
            self.assertEqual(self.hits(service, "d5", engine)[0], "r5")
            self.assertEqual(self.hits(service, "d24", engine)[0], "r24")
        self.finish(service)

    def test_the_service_answers_itself(self):
        # The state could not be asked for a text without the seed.
        service = self.serving(*documents(0), *map(relative, range(20)), similar__index="on", sketch__seed=f"{7:032x}")
        small = ("--set", "input.max_record_bytes=2MiB")
        page = self.state(service).parent / "page.txt"
        page.write_text(text(7))
        answer = json.loads(self.on(service, "similar", "--json", page))
        self.assertEqual([hit["id"] for hit in answer["hits"][:2]], ["d7", "r7"])
        self.assertEqual(answer["engine"], "match")
        lines = self.state(service).parent / "queries.jsonl"
        lines.write_text("".join(json.dumps(query) + "\n" for query in (
            {"id": "d3"}, {"text": text(5)}, {"id": "nobody"}, {"text": "two words"})) + "x" * (3 << 20) + "\n")
        answers = [json.loads(line) for line in self.on(service, "similar", *small, lines).splitlines()]
        self.assertEqual([answer["hits"][0]["id"] for answer in answers[:2]], ["r3", "d5"])
        for answer, why in zip(answers[2:], ("no such id", "text.min_tokens", "input.max_record_bytes")):
            self.assertIn(why, answer["error"])
        self.assertEqual(len(answers), 5)
        for words, status, why in ((["--id", "nobody"], 64, "no such id"), ([page, "--engine", "ewh"], 78, "sketch.seed_file"),
                                   ([page, "--set", "sketch.size=64"], 78, "`sketch.size` is 64")):
            done = self.command("similar", "--state", self.state(service), *words)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(why, done.stderr)
        answer = json.loads(self.on(service, "similar", "--json", page, "--engine", "lsh"))
        self.assertEqual((answer["engine"], answer["hits"][0]["id"]), ("lsh", "d7"))
        token = json.loads((self.state(service) / "control").read_text())["token"]
        status, answer = self.post(service, "/v1/control/similar", {"id": "d3", "top": 1, "engine": "scan"}, token)
        self.assertEqual((status, answer["engine"], [hit["id"] for hit in answer["hits"]]), (200, "scan", ["r3"]))
        for body, status in (({}, 400), ({"id": "d3", "top": 0}, 400), ({"id": "d3", "engine": "ewh"}, 400)):
            self.assertEqual(self.post(service, "/v1/control/similar", body, token)[0], status)
        self.assertEqual(self.post(service, "/v1/control/similar", {"id": "d3"}, "wrong")[0], 401)
        self.assertEqual(service.stop(), 0)

    def test_searches_run_while_the_service_decides(self):
        service = self.serving(*documents(0), *map(relative, range(20)), similar__index="on")
        token = json.loads((self.state(service) / "control").read_text())["token"]
        stop, answers, failures = threading.Event(), [], []

        def ask(engine):
            place = 0
            while not stop.is_set():
                name = place % 20
                place += 1
                status, answer = self.post(service, "/v1/control/similar", {"id": f"d{name}", "engine": engine}, token)
                if status != 200 or [hit["id"] for hit in answer["hits"]][:1] != [f"r{name}"]:
                    failures.append((status, answer))
                answers.append(answer)

        askers = [threading.Thread(target=ask, args=(engine,)) for engine in ("scan", "match")]
        for asker in askers:
            asker.start()
        self.feed(service, documents(PIECE, 20_000))
        stop.set()
        for asker in askers:
            asker.join()
        self.assertEqual(failures[:3], [])
        seen = [answer["as_of_seq"] for answer in answers]
        self.assertGreater(max(seen), min(seen), "searches ran while documents were decided")
        self.finish(service)

    def test_the_index_outlives_kill_9(self):
        service = self.serving(*map(relative, range(20)), *documents(0, MANY), similar__index="on")
        folder = self.state(service) / "similar"
        segments = lambda: [path for path in folder.glob("*-*") if path.suffix != ".tmp"]
        service.wait_until(segments, "a segment")
        wanted = {f"d{i}": [f"r{i}"] for i in range(20)}
        self.assertEqual({name: self.hits(service, name, "auto")[:1] for name in wanted}, wanted)
        service.kill()
        self.assertEqual({name: self.hits(service, name, "auto")[:1] for name in wanted}, wanted)
        [(kept, written)] = [(path, path.stat().st_mtime_ns) for path in segments()]
        service.start()
        service.wait_ready()
        self.feed(service, [relative(i) for i in range(20, 25)])
        self.assertEqual(self.hits(service, "d22", "auto")[:1], ["r22"])
        self.assertEqual(kept.stat().st_mtime_ns, written)
        self.finish(service)


if __name__ == "__main__":
    fault_case.main()
