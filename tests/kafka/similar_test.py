"""`neardup similar` on the state of a service that runs, and the index of keywords that the service keeps."""

import json

import control_test
import fault_case
from control_test import documents, text

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
