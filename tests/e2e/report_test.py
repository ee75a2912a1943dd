"""`neardup report`: the data in its page against the flags and the inputs, what it refuses, its bounds, and hostile documents."""

import collections
import gzip
import html.parser
import json
import os
import pathlib
import pty
import random
import re
import subprocess
import unittest

import neardup
from folder import FolderTest
from groups_test import History

STATUSES = neardup.STATUSES
MEMORY = 80 << 20  # bytes; 54 MB were measured
FLAGS = 100_000
MOST_BYTES = 8_000_000
HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028\u2029", "\0\x01\x7f", "\ufeff\u202e", "&lt;\"'\\", "𝄞"]


class Page(html.parser.HTMLParser):
    """The elements of a page, as a browser finds them, and the data in it."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.sources, self.data, self._inside = [], [], "", False
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.sources += [value for name, value in attributes if name in ("src", "href")]
        self._inside = ("id", "data") in attributes

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, text):
        if self._inside:
            self.data += text


def words(chosen, count):
    return " ".join(chosen.choice(("alpha", "beta", "gamma")) + str(chosen.randrange(1000)) for _ in range(count))


class Report(FolderTest):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "report.html"

    def write(self, name, records):
        path = self.folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    def run_report(self, *options, status=0, **run):
        done = subprocess.run([neardup.BINARY, "report", *map(str, options)], capture_output=True, timeout=120, **run)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def report(self, *options, **run):
        self.run_report("-o", self.page, *options, **run)
        return json.loads(Page(self.page.read_bytes()).data)

    def refused(self, *options, status=65, **run):
        """What is said; no page is left."""
        said = self.run_report("-o", self.page, *options, status=status, **run).stderr.decode()
        self.assertEqual([path for path in self.folder.iterdir() if "report" in path.name], [])
        return said

    def copies(self, records=None, **scan):
        """The flags of an input of two near-duplicates, and that input."""
        text = words(random.Random(5), 60)
        inputs = self.write("docs.jsonl", records or [{"id": "a", "text": text}, {"id": "b", "text": text + " and more"}])
        neardup.scan_or_fail([inputs], self.output, **scan)
        return self.output, inputs

    def flags_in(self, *paths):
        return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


class Data(Report):
    def expect_counts(self, data, flags):
        def counts(some):
            found = collections.Counter(flag["status"] for flag in some)
            return {status: found[status] for status in STATUSES}
        self.assertEqual(data["counts"], counts(flags))
        names = list(dict.fromkeys(flag["source"]["file"] for flag in flags))
        self.assertEqual(data["inputs"], [{"name": name, "counts": counts(flag for flag in flags if flag["source"]["file"] == name)}
                                          for name in names])

    def expect_histogram(self, data, flags):
        near = [round(flag["similarity"] * 1000) for flag in flags if flag["status"] == "near_duplicate"]
        self.assertEqual(sum(step["count"] for step in data["similarity"]), len(near))
        self.assertEqual(data["similarity"][-1]["high"], 1)
        for step in data["similarity"]:
            low, high = round(step["low"] * 1000), round(step["high"] * 1000)
            self.assertEqual(high - low, 20)
            self.assertEqual(step["count"], sum(low <= one < high or one == high == 1000 for one in near), step)

    def expect_groups(self, data, flags):
        groups = {}
        for flag in flags:
            if "duplicate_of" in flag:
                groups.setdefault(flag["duplicate_of_seq"], []).append(flag)
        largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))[:20]
        self.assertEqual(data["groups"], [
            {"group": copies[0]["duplicate_of"], **({"namespace": copies[0]["namespace"]} if "namespace" in copies[0] else {}),
             "seq": seq, "copies": len(copies),
             "sample": [{"id": flag["id"], "seq": flag["seq"], "similarity": flag["similarity"]} for flag in copies[:3]]}
            for seq, copies in largest])

    def expect_pairs(self, data, flags):
        near = [flag for flag in flags if flag["status"] == "near_duplicate"]
        found = [pair["flag"] for pair in data["pairs"]]
        self.assertEqual(len(found), min(50, len(near)))
        self.assertTrue(all(flag in near for flag in found))
        self.assertEqual(len({flag["seq"] for flag in found}), len(found))
        distances = sorted(round(abs(flag["similarity"] - flag["threshold"]) * 1000) for flag in near)
        shown = [round(abs(flag["similarity"] - flag["threshold"]) * 1000) for flag in found]
        self.assertEqual(sorted(shown)[:20], distances[:20])
        self.assertEqual(sorted(shown)[-10:], distances[-10:])
        self.assertEqual([pair["near"] for pair in data["pairs"]], [i < 20 for i in range(len(found))])

    def test_a_report_says_what_the_flags_and_inputs_say(self):
        for seed, sets in enumerate([(), ("against=all",), ("verify.mode=none",)], 20261124):
            with self.subTest(sets, seed=seed):
                records = History(seed).records(600)
                inputs = [self.write("a.jsonl", records[:250]), self.write("b.jsonl", records[250:])]
                neardup.scan_or_fail(inputs, self.output, sets=sets)
                flags = self.flags_in(self.output)
                settings = [word for setting in sets for word in ("--set", setting)]
                data = self.report(*settings, self.output, *inputs)
                self.assertEqual([data["kind"], data["title"], data["rule"], data["threshold"], data["notes"]],
                                 ["report", str(self.output), flags[0]["rule"], 0.8, []])
                for expect in (self.expect_counts, self.expect_histogram, self.expect_groups, self.expect_pairs):
                    expect(data, flags)
                self.expect_texts(data, flags, records)

    def expect_texts(self, data, flags, records):
        """Each pair has the texts of the two versions that its flag is of."""
        for pair in data["pairs"]:
            self.assertNotIn("why_no_text", pair)
            comparison, flag = pair["comparison"], pair["flag"]
            sides = [(comparison["a"], flag["seq"], flag["id"]), (comparison["b"], flag["duplicate_of_seq"], flag["duplicate_of"])]
            for side, seq, name in sides:
                self.assertEqual((side["content"], side["name"]), (records[seq - 1]["text"], name))
            self.assertEqual(comparison["a"]["flagged"], {name: flag[name] for name in comparison["a"]["flagged"]})
            self.expect_marks(comparison)

    def expect_marks(self, comparison):
        """Marked are the words that a shingle of five, which both texts have, covers."""
        texts = {side: comparison[side]["content"] for side in "ab"}
        shingles = {side: [tuple(text.split()[i:i + 5]) for i in range(len(text.split()) - 4)] for side, text in texts.items()}
        shared = set(shingles["a"]) & set(shingles["b"])
        for side, text in texts.items():
            wanted = {i + k for i, shingle in enumerate(shingles[side]) if shingle in shared for k in range(5)}
            found = set()
            for begin, end in comparison["passages"]["marks"][side]:
                first = len(text.encode()[:begin].split())
                found |= set(range(first, first + len(text.encode()[begin:end].split())))
            self.assertEqual(found, wanted)

    def test_the_same_flags_and_inputs_give_the_same_page(self):
        flags, inputs = self.copies()
        at = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        self.assertEqual(self.report(flags, inputs, env=at)["made"], "2023-11-14T22:13:20Z")
        first = self.page.read_bytes()
        self.report(flags, inputs, env=at)
        self.assertEqual(self.page.read_bytes(), first)
        self.assertIn("SOURCE_DATE_EPOCH", self.run_report("-o", self.page, flags, env={**at, "SOURCE_DATE_EPOCH": "1e9"},
                                                           status=64).stderr.decode())

    def test_flags_and_inputs_are_read_packed_and_flags_from_standard_input(self):
        flags, inputs = self.copies()
        wanted = self.report(flags)
        packed = self.folder / "flags.gz"
        packed.write_bytes(gzip.compress(flags.read_bytes()))
        changes = {"made": wanted["made"], "title": wanted["title"]}
        self.assertEqual(self.report(packed) | changes, wanted)
        self.assertEqual(self.report("-", input=flags.read_bytes()) | changes, wanted)
        packed = self.folder / "docs.gz"
        packed.write_bytes(gzip.compress(inputs.read_bytes()))
        neardup.scan_or_fail([packed], self.output)
        self.assertIsNotNone(self.report(self.output, packed)["pairs"][0]["comparison"])

    def test_the_page_goes_to_standard_output_and_into_pipes(self):
        flags, _ = self.copies()
        at = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
        self.report(flags, env=at)
        self.assertEqual(self.run_report("-o", "-", flags, env=at).stdout, self.page.read_bytes())
        self.assertEqual(self.run_report("-o", "/dev/stdout", flags, env=at).stdout, self.page.read_bytes())

    def test_inputs_may_be_named_by_another_path(self):
        flags, inputs = self.copies()
        data = self.report(flags.name, f"../{self.folder.name}/./{inputs.name}", cwd=self.folder)
        self.assertEqual(data["notes"], [])
        self.assertIsNotNone(data["pairs"][0]["comparison"])

    def test_settings_of_inputs_are_those_of_the_run(self):
        text = words(random.Random(5), 60)
        sets = ("input.text_field=/page/body", "threshold=0.7")
        flags, inputs = self.copies([{"id": name, "page": {"body": text + more}} for name, more in [("a", ""), ("b", " more")]],
                                    sets=sets)
        data = self.report("--set", sets[0], "--set", sets[1], flags, inputs)
        self.assertEqual(data["threshold"], 0.7)
        self.assertEqual(data["pairs"][0]["comparison"]["b"]["content"], text)

    def test_without_inputs_pairs_have_no_texts_and_settings_do_not_matter(self):
        flags, _ = self.copies(sets=("threshold=0.7",))
        data = self.report(flags)
        self.assertEqual(data["threshold"], 0.7)
        self.assertEqual([(pair["comparison"], pair["why_no_text"]) for pair in data["pairs"]], [(None, "no inputs were given")])

    def test_other_inputs_than_those_of_the_flags_are_noted(self):
        flags, inputs = self.copies()
        data = self.report(flags, self.write("other.jsonl", []))
        self.assertEqual(len(data["notes"]), 1)
        self.assertIn(str(inputs), data["notes"][0])
        self.assertIn("not among the inputs", data["pairs"][0]["why_no_text"])

    def test_an_input_that_is_another_one_now_is_not_shown(self):
        flags, inputs = self.copies()
        self.write("docs.jsonl", [{"id": "x", "text": "something else"}])
        self.assertEqual(self.report(flags, inputs)["pairs"][0]["why_no_text"],
                         f"b: {inputs} has no record in line 2; a: another record is at its place in the input now")

    def test_an_input_without_documents_has_no_report(self):
        flags, inputs = self.copies([{"id": "a", "text": ""}])
        flags.write_bytes(b"")
        self.assertIn("there are no flags", self.refused(flags, inputs))


class Safety(Report):
    def test_hostile_ids_and_texts_are_data(self):
        self.report(*self.copies())
        plain = Page(self.page.read_bytes())
        names = [f"{name} {i}" for i, name in enumerate(HOSTILE)]
        body = words(random.Random(6), 80)
        records = [{"id": f"{version}{name}", "namespace": name, "text": f"{body} {name} {version}", "url": name}
                   for name in names for version in ("old ", "new ")]
        lines = [json.dumps(record).encode() for record in records]
        lines.append(json.dumps({"id": "old", "text": body + "!!"}).encode().replace(b"!!", b" \xff\xfe<b> old"))
        lines.append(json.dumps({"id": "new", "text": body + "!!"}).encode().replace(b"!!", b" \xff\xfe</b> \xed\xa0\x80"))
        inputs = self.folder / "hostile.jsonl"
        inputs.write_bytes(b"\n".join(lines))
        neardup.scan_or_fail([inputs], self.output, sets=("output.fields=url",))
        data = self.report("--set", "output.fields=url", self.output, inputs)
        page = Page(self.page.read_bytes())
        self.assertEqual((page.tags, page.sources), (plain.tags, plain.sources))
        self.assertNotIn(b"\0", self.page.read_bytes())
        found = {pair["flag"]["id"]: pair for pair in data["pairs"]}
        self.assertEqual(len(found), len(names) + 1)
        for record in records[1::2]:
            pair = found[record["id"]]
            self.assertEqual(pair["flag"]["url"], record["url"])
            self.assertEqual(pair["comparison"]["a"]["content"], record["text"])
        self.assertEqual(found["new"]["comparison"]["a"]["content"], body + " \ufffd\ufffd</b> \ufffd\ufffd\ufffd")
        self.assertEqual({group["group"] for group in data["groups"]}, {f"old {name}" for name in names} | {"old"})

    def test_a_page_loads_nothing(self):
        self.report(*self.copies())
        self.assertEqual(Page(self.page.read_bytes()).sources, [])
        self.assertEqual(re.findall(rb"https?://(?!www\.w3\.org/)[^ \"'`<]*", self.page.read_bytes()), [])

    def test_long_texts_and_names_give_a_bounded_page(self):
        chosen = random.Random(7)
        records = []
        for i in range(60):
            words = [f"{chosen.randrange(10**6)}{'<' * 60}\x01\x02" for _ in range(5000)]
            for version in "ab":
                name = (f"{version}{i}" + "<" * 1024)[:1000]
                words[::500] = [f"{version}{'<' * 300}{i}" for _ in range(10)]
                records.append({"id": name, "namespace": "<" * 1000, "text": " ".join(words)})
        flags, inputs = self.copies(records)
        data = self.report(flags, inputs)
        self.assertEqual(len(data["pairs"]), 50)
        self.assertEqual({pair["comparison"]["differences"]["changes"] for pair in data["pairs"]}, {10})
        self.assertLess(self.page.stat().st_size, MOST_BYTES)

    def many_flags(self, groups):
        """Flags of documents that name one of many originals each, more than a table of groups holds."""
        start = {"threshold": 0.8, "rule": "5f0c000000000001"}
        with open(self.output, "w") as out:
            for seq in range(1, FLAGS + 1):
                flag = {"id": f"https://www.example.org/a/page/{seq:050}", "seq": seq, "status": "unique"}
                if seq > groups:
                    number = seq % groups + 1
                    flag |= {"status": "near_duplicate", "duplicate_of": f"https://www.example.org/a/page/{number:050}",
                             "duplicate_of_seq": number, "similarity": 0.8 + seq % 200 / 1000}
                out.write(json.dumps(flag | start | {"source": {"file": f"{seq % 1000}.jsonl", "line": seq}}) + "\n")

    def test_memory_and_size_do_not_grow_with_the_number_of_flags(self):
        self.many_flags(FLAGS // 2)
        with subprocess.Popen([neardup.BINARY, "report", "-o", "-", self.output], stdout=subprocess.PIPE) as process:
            page = process.stdout.read(1)  # the rest does not fit into the pipe: it waits
            peak = re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path(f"/proc/{process.pid}/status").read_text())
            page += process.stdout.read()
        self.assertEqual(process.returncode, 0)
        self.assertLess(int(peak[1]) * 1024, MEMORY)
        self.assertLess(len(page), 1_000_000)
        data = json.loads(Page(page).data)
        self.assertEqual(sum(data["counts"].values()), FLAGS)
        self.assertEqual(sum(sum(each["counts"].values()) for each in data["inputs"]), FLAGS)
        self.assertEqual([len(data["inputs"]), data["inputs"][-1]["name"]], [101, "all other inputs"])
        self.assertEqual(data["notes"], ["There are more than 100 inputs; the others are counted together."])


class Refusals(Report):
    def test_wrong_usage_changes_no_file(self):
        flags, inputs = self.copies()
        before = flags.read_bytes(), inputs.read_bytes()
        self.assertIn("-o FILE is needed", self.run_report(flags, status=64).stderr.decode())
        self.run_report("-o", self.page, status=64)
        self.run_report("-o", flags, flags, status=64)
        self.run_report("-o", inputs, flags, inputs, status=64)
        self.assertIn("read twice", self.refused("-", inputs, status=64, input=before[0]))
        self.refused("--set", "input.id_field=id", flags, inputs, status=78)
        self.assertEqual((flags.read_bytes(), inputs.read_bytes()), before)

    def test_flags_of_another_rule_name_both(self):
        flags, inputs = self.copies(sets=("threshold=0.7",))
        rule = self.flags_in(flags)[0]["rule"]
        self.report("--set", "threshold=0.7", flags, inputs)
        self.page.unlink()
        said = self.refused(flags, inputs)
        self.assertIn(f"{flags}, line 1: a flag of the rule {rule}", said)
        self.assertRegex(said, f"the rule (?!{rule})[0-9a-f]{{16}}: .*-c and --set")
        other = self.folder / "other.jsonl"
        other.write_bytes(flags.read_bytes() + flags.read_bytes().replace(rule.encode(), b"0123456789abcdef"))
        said = self.refused(other)
        self.assertIn(f"{other}, line 3: a flag of the rule 0123456789abcdef", said)
        self.assertIn(rule, said)

    def test_what_cannot_be_read_ends_with_65(self):
        flags, inputs = self.copies()
        self.assertIn(f"{inputs}, line 1: not a flag of neardup", self.refused(inputs))
        self.assertIn("missing", self.refused(self.folder / "missing"))
        self.assertIn("missing", self.refused(flags, inputs, self.folder / "missing"))
        self.refused(self.folder, inputs)
        bare = self.write("bare.jsonl", [{key: value for key, value in flag.items() if key != "rule"} for flag in self.flags_in(flags)])
        self.assertIn(f"{bare}, line 1: not a flag of neardup, it has no rule", self.refused(bare))

    def test_flags_that_are_cut_short_end_with_65(self):
        flags, inputs = self.copies()
        whole = flags.read_bytes()
        cut = self.folder / "cut.jsonl"
        cut.write_bytes(whole[:-20])
        self.assertIn(f"{cut}, line 2: not a flag", self.refused(cut, inputs))
        packed = {"gz": gzip.compress(whole), "zst": subprocess.run(["zstd", "-qc"], input=whole, capture_output=True, check=True).stdout}
        for name, content in packed.items():
            path = self.folder / f"cut.{name}"
            path.write_bytes(content[:-15])
            self.assertIn(f"{path} ends too early", self.refused(path, inputs))

    def test_an_input_that_is_damaged_ends_with_65(self):
        _, inputs = self.copies()
        packed = self.folder / "docs.gz"
        packed.write_bytes(gzip.compress(inputs.read_bytes()))
        neardup.scan_or_fail([packed], self.output)
        packed.write_bytes(packed.read_bytes()[:40])
        self.assertIn(str(packed), self.refused(self.output, packed))

    def test_flags_of_two_states_are_refused(self):
        flags, _ = self.copies()
        other = self.folder / "other.jsonl"
        other.write_text(flags.read_text() + flags.read_text().replace('"duplicate_of":"a"', '"duplicate_of":"x"'))
        self.assertIn("of one state only", self.refused(other))

    def test_a_page_that_cannot_be_written_ends_with_74(self):
        flags, _ = self.copies()
        self.run_report("-o", "/dev/full", flags, status=74)
        self.refused("-o", self.folder / "none" / "report.html", flags, status=64)
        self.run_report("-o", self.folder / "none" / "report.html", flags, status=74)

    def test_a_page_is_replaced_whole_or_not_at_all(self):
        flags, _ = self.copies()
        self.page.write_text("before")
        damaged = self.folder / "damaged.jsonl"
        damaged.write_bytes(flags.read_bytes()[:-5])
        self.run_report("-o", self.page, damaged, status=65)
        self.assertEqual(self.page.read_text(), "before")
        self.report(flags)
        self.assertEqual([path.name for path in self.folder.iterdir() if "report" in path.name], ["report.html"])


class Hint(Report):
    def scan_on_a_terminal(self, *options):
        """What a scan writes to a terminal."""
        ours, its = pty.openpty()
        with subprocess.Popen([neardup.BINARY, "scan", *map(str, options)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=its) as process:
            os.close(its)
            said = b""
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:  # what a closed terminal is to Linux
                    break
                said += part
        os.close(ours)
        self.assertEqual(process.returncode, 0, said)
        return said.decode()

    def offered(self, *options):
        found = re.search(r"page: (neardup report .*)\r", self.scan_on_a_terminal(*options))
        return found and found[1]

    def test_scan_on_a_terminal_offers_a_command_that_works(self):
        self.copies()
        (self.folder / "it's $1.jsonl").write_bytes((self.folder / "docs.jsonl").read_bytes())
        command = self.offered("--set", "threshold=0.7", "-o", "my flags.jsonl", "docs.jsonl", "it's $1.jsonl")
        self.assertEqual(command, "neardup report --set threshold=0.7 -o report.html 'my flags.jsonl' docs.jsonl 'it'\\''s $1.jsonl'")
        subprocess.run(["sh", "-c", command.replace("neardup", neardup.BINARY, 1)], cwd=self.folder, check=True, timeout=60)
        self.assertIsNotNone(json.loads(Page(self.page.read_bytes()).data)["pairs"][0]["comparison"])

    def test_inputs_that_cannot_be_read_again_or_are_many_are_not_in_it(self):
        _, inputs = self.copies()
        more = [self.folder / f"{i}.jsonl" for i in range(4)]
        for path in more:
            path.write_bytes(inputs.read_bytes())
        self.assertEqual(self.offered("-o", "f.jsonl", *more), "neardup report -o report.html f.jsonl INPUT…")
        self.assertEqual(self.offered("-o", "f.jsonl", "-"), "neardup report -o report.html f.jsonl")
        self.assertIsNone(self.offered("docs.jsonl"))

    def test_scan_says_nothing_of_it_to_a_script(self):
        flags, inputs = self.copies()
        self.assertNotIn(b"neardup report", neardup.scan([inputs], flags).stderr)
        self.assertIsNone(self.offered("--json", "-o", flags, inputs))


if __name__ == "__main__":
    unittest.main()
