#!/usr/bin/env python3
"""What a document costs in each role of a cluster, and how long flags stay away when a process dies or a shard is added.

  NEARDUP_CORPUS=DIR bench/serve/cluster.py > bench/results/serve-cluster.md

The last part is about a shard with many documents; --large 0 leaves it out.
"""

import contextlib
import json
import random
import subprocess
import threading
import time

import rig
from restart import documents as short_documents
from rig import exposition, runs, service
from throughput import copies, fill

PARTITIONS = 4
STRANGERS = 200_000  # documents that a large shard has not seen
STEADY = 400  # documents/s while something happens
STEP = 0.05
QUIET = 3  # seconds of flags before something happens


class ClusterBench:
    """A cluster on the broker of a rig, with separate topics; its processes, and the command line."""

    def __init__(self, bench, name, documents):
        self.bench, self.name, self.documents = bench, name, documents
        self.folder = bench.folder / name
        self.flags = f"{name}.flags"
        for topic in (self.flags, f"{name}.dead"):
            bench.cluster.create_topic(topic)

    def command(self, *words):
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "init.yaml"
        file.write_text(json.dumps(service.nested(self._keys("decider", "init"))))
        subprocess.run([service.BINARY, "cluster", words[0], "-c", file, *words[1:]], check=True, stdout=subprocess.DEVNULL)

    def role(self, role, label=None, **settings):
        label = label or role
        keys = self._keys(role, label)
        keys.update({key.replace("__", "."): value for key, value in settings.items()})
        return service.Service(self.folder / label, keys)

    def shard(self, number):
        return self.role("shard", f"shard-{number}", cluster__shard=number)

    def _keys(self, role, label):
        keys = service.config(self.bench.cluster, [self.documents], self.folder / label / "state", f"{self.name}.sketchers",
                              self.flags, f"{self.name}.dead")
        for key in rig.SETTINGS_OF_TESTS:
            del keys[key]
        return {**keys, "cluster.name": self.name, "cluster.role": role, "log.level": "debug"}

    def sketch_all(self, count=2):
        """CPU seconds of the sketchers that append the whole topic, with their start."""
        sketchers = [self.role("sketcher", f"sketcher-{n}").start() for n in range(count)]
        sketchers[0].wait_until(lambda: self.bench.cluster.lag(f"{self.name}.sketchers", self.documents) == 0, "the sketches", rig.LONG)
        used = sum(rig.cpu_seconds(one.process.pid) for one in sketchers)
        for one in sketchers:
            one.kill()
        return used


def scrape(made):
    status, body = made.get("/metrics")
    return exposition.parse(body.decode()) if status == 200 else {}


def metric(made, name):
    found = scrape(made).get(name)
    return found.value() if found else 0


def wait_decided(made, seq):
    made.wait_until(lambda: metric(made, "neardup_last_seq") >= seq, f"{seq} records decided", rig.LONG)


@contextlib.contextmanager
def ended(*processes):
    """Kills them at the end in any case."""
    try:
        yield
    finally:
        for one in processes:
            one.kill()


def start_seconds(made):
    """The CPU seconds of a process that begins to work."""
    made.wait_until(lambda: made.events("serving") or made.events("leading"), "its start")
    return rig.cpu_seconds(made.process.pid)


def timed(made, seq, *others):
    """Seconds until so much is decided, and the CPU seconds that each process took meanwhile."""
    begun = [start_seconds(one) for one in (made, *others)]
    start = time.monotonic()
    wait_decided(made, seq)
    seconds = time.monotonic() - start
    return seconds, [rig.cpu_seconds(one.process.pid) - before for one, before in zip((made, *others), begun)]


# What a document costs


def serve_alone(bench, topic, count):
    job = bench.job(topic, partitions=PARTITIONS).start()
    with ended(job):
        seconds, (cpu,) = timed(job, count)
    bench.drop(job)
    return {"case": "serve", "seconds": seconds, "cpu": {"serve": cpu}}


def deciders(bench, topic, count, run):
    """A log that is full already, and one that fills meanwhile."""
    cluster = ClusterBench(bench, f"decide-{run}", topic)
    cluster.command("init")
    cpu = {"sketcher": cluster.sketch_all()}
    decider = cluster.role("decider").start()
    with ended(decider):
        seconds, (cpu["decider"],) = timed(decider, count)
    yield {"case": "decider, log full", "seconds": seconds, "cpu": cpu}
    both = ClusterBench(bench, f"both-{run}", topic)
    both.command("init")
    decider = both.role("decider").start()
    with ended(decider):
        start_seconds(decider)
        sketcher = both.role("sketcher").start()
        with ended(sketcher):
            seconds, used = timed(decider, count, sketcher)
    yield {"case": "sketcher and decider", "seconds": seconds, "cpu": dict(zip(("decider", "sketcher"), used))}


def shards(bench, topic, count, run, number=3):
    cluster = ClusterBench(bench, f"shards-{run}", topic)
    cluster.command("init")
    made = [cluster.shard(n).start().wait_ready() for n in range(number)]
    cluster.command("place", "--active", ",".join(map(str, range(number))))
    begun = sum(rig.cpu_seconds(one.process.pid) for one in made)
    cluster.sketch_all()  # they answer the first window meanwhile
    resolver = cluster.role("resolver").start()
    with ended(resolver, *made):
        seconds, (cpu,) = timed(resolver, count)
        for one in made:
            wait_decided(one, count)
        of_shards = sum(rig.cpu_seconds(one.process.pid) for one in made) - begun
        found = [scrape(one) for one in made]
        sums = {name: sum(one[f"neardup_shard_{name}"].sum() for one in found) for name in ("answer_seconds", "apply_seconds", "commit_seconds")}
        answered = sum(one["neardup_shard_answered_records_total"].value() for one in found)
        size = sum(one["neardup_shard_answer_bytes_total"].value() for one in found)
    return {"case": f"{number} shards and resolver, log full", "seconds": seconds,
            "cpu": {"resolver": cpu, "each shard": of_shards / number},
            "answer_us": sums["answer_seconds"] / answered * 1e6, "apply_us": sums["apply_seconds"] / count / number * 1e6,
            "commit_us": sums["commit_seconds"] / count / number * 1e6, "answer_bytes": size / count}


# When something happens


class Upstream(threading.Thread):
    """Writes documents at a steady rate until it is told to end."""

    def __init__(self, bench, topic):
        super().__init__(daemon=True)
        self._producer = rig.Producer({"bootstrap.servers": bench.cluster.bootstrap, "linger.ms": 0})
        self._topic, self._ended = topic, threading.Event()

    def run(self):
        lines = short_documents(seed=random.randrange(1 << 30))
        while not self._ended.wait(STEP):
            for i in range(int(STEADY * STEP)):
                self._producer.produce(self._topic, next(lines).encode(), partition=i % PARTITIONS)
            self._producer.poll(0)

    def end(self):
        self._ended.set()
        self.join()
        self._producer.flush()


class Arrivals(threading.Thread):
    """When flags came."""

    def __init__(self, bench, topic):
        super().__init__(daemon=True)
        self._bench, self._topic = bench, topic
        self.times = []

    def run(self):
        with contextlib.suppress(TimeoutError):  # at the end
            for _ in rig.committed_messages(self._bench.cluster.bootstrap, self._topic):
                self.times.append(time.monotonic())

    def wait_some(self, seconds=QUIET):
        """Flags come, and have done so for some seconds."""
        begin = time.monotonic()
        while not self.times or self.times[-1] < begin + seconds:
            time.sleep(STEP)

    def longest_gap(self, since):
        times = [one for one in self.times if one >= since - 1]
        return max(after - before for before, after in zip(times, times[1:]))


def events(bench, repeats):
    """The longest time without a flag around each event, by event."""
    bench.cluster.create_topic("steady", PARTITIONS)
    cluster = ClusterBench(bench, "events", "steady")
    cluster.command("init")
    made = [cluster.shard(0).start()]
    resolvers = [cluster.role("resolver", f"resolver-{n}").start() for n in range(2)]
    sketchers = [cluster.role("sketcher", f"sketcher-{n}").start() for n in range(2)]
    gaps = {"nothing": [], "kill -9 of the resolver that leads": [], "a shard is added": [], "kill -9 of a shard": []}
    arrivals, upstream = Arrivals(bench, cluster.flags), Upstream(bench, "steady")
    with ended(*resolvers, *sketchers), contextlib.ExitStack() as stack:
        for one in (*made, *resolvers, *sketchers):
            one.wait_ready()
        upstream.start()
        arrivals.start()

        def around(name, event):
            arrivals.wait_some()
            begin = time.monotonic()
            event()
            arrivals.wait_some()
            gaps[name].append(arrivals.longest_gap(begin))
            rig.progress(f"{name}: {gaps[name][-1]:.2f} s")

        def kill_leader():
            leader = next(one for one in resolvers if one.events("leading"))
            leader.kill()
            arrivals.wait_some()
            leader.start().wait_ready()

        def add_shard():
            made.append(cluster.shard(len(made)).start().wait_ready())
            stack.enter_context(ended(made[-1]))
            cluster.command("place", "--active", ",".join(map(str, range(len(made)))))

        def kill_shard():
            made[0].kill()
            made[0].start()

        stack.enter_context(ended(made[0]))
        for _ in range(repeats):
            around("nothing", lambda: time.sleep(QUIET))
            around("kill -9 of the resolver that leads", kill_leader)
            around("a shard is added", add_shard)
            around("kill -9 of a shard", kill_shard)
        upstream.end()
    return gaps


# A shard with many documents


def large(bench, options):
    state, file = bench.folder / "large-state", bench.folder / "large.jsonl"
    lines = short_documents()
    with open(file, "w") as out:
        out.writelines(next(lines) + "\n" for _ in range(options.large))
    rig.progress(f"{options.large} documents written")
    begun = time.monotonic()
    runs.scan(options.binary.resolve(), file, bench.folder / "large-flags.jsonl", state=state)
    file.unlink()
    rig.progress(f"flagged in {time.monotonic() - begun:.0f} s")
    bench.cluster.create_topic("strangers", PARTITIONS)
    cluster = ClusterBench(bench, "large", "strangers")
    cluster.command("init", "--from", str(state))
    shard = cluster.role("shard", storage__path=str(state)).start().wait_ready(rig.LONG)
    restarts = []
    for _ in range(options.runs):
        shard.kill()
        start = time.monotonic()
        shard.start().wait_ready(rig.LONG)
        restarts.append(time.monotonic() - start)
    resolver = cluster.role("resolver").start()
    with ended(shard, resolver):
        resolver.wait_until(lambda: resolver.events("leading"), "the lease", rig.LONG)
        found = []
        for run in range(options.runs):
            found.append(strangers(bench, cluster, shard, resolver, run))
            rig.progress(f"strangers: {found[-1]}")
    return restarts, found, rig.folder_bytes(state)


def strangers(bench, cluster, shard, resolver, run):
    """Documents that are like no other, looked up and then kept."""
    chance = random.Random(run)
    text = lambda: " ".join(f"{chance.getrandbits(40):x}" for _ in range(20))
    bench.client.produce("strangers", (rig.Record(json.dumps({"id": f"stranger-{run}-{n}", "text": text()}).encode(), partition=n % PARTITIONS)
                                       for n in range(STRANGERS)))
    before, seq = scrape(shard), metric(resolver, "neardup_last_seq")
    cpu = rig.cpu_seconds(shard.process.pid), rig.cpu_seconds(resolver.process.pid)
    cluster.sketch_all(1)
    wait_decided(resolver, seq + STRANGERS)
    wait_decided(shard, seq + STRANGERS)
    after = scrape(shard)
    grown = lambda name, kind: getattr(after[name], kind)() - getattr(before[name], kind)()
    answered = grown("neardup_shard_answered_records_total", "value")
    return {"answer_us": grown("neardup_shard_answer_seconds", "sum") / answered * 1e6,
            "apply_us": grown("neardup_shard_apply_seconds", "sum") / STRANGERS * 1e6,
            "shard_us": (rig.cpu_seconds(shard.process.pid) - cpu[0]) / STRANGERS * 1e6,
            "resolver_us": (rig.cpu_seconds(resolver.process.pid) - cpu[1]) / STRANGERS * 1e6}


def costs(bench, options):
    file = bench.folder / "documents.jsonl"
    count = copies(options.copies, file)
    fill(bench, "docs", file, PARTITIONS)
    rig.progress(f"topic filled with {count} documents")
    rows = []
    for run in range(options.runs):
        for row in (serve_alone(bench, "docs", count), *deciders(bench, "docs", count, run), shards(bench, "docs", count, run)):
            rows.append({"run": run, **row})
            rig.progress(f"run {run}: {row['case']}: {row['seconds']:.2f} s")
    return rows, file.stat().st_size, count


def cost_table(rows, count):
    print("| what | documents/s | of `serve` | CPU µs a document |\n| --- | --- | --- | --- |")
    by_case = {}
    for row in rows:
        by_case.setdefault(row["case"], []).append(row)
    for case, found in by_case.items():
        ratio = runs.spread([a["seconds"] / b["seconds"] for a, b in zip(by_case["serve"], found)])
        cpu = "; ".join(f"{role} {runs.spread([row['cpu'][role] / count * 1e6 for row in found], 1)}" for role in found[0]["cpu"])
        print(f"| {case} | {runs.spread([count / row['seconds'] for row in found], 0)} | {ratio} | {cpu} |")
    last = by_case[rows[-1]["case"]]
    spread = lambda key: runs.spread([row[key] for row in last])
    print(f"\nOf a shard, in µs a document of the cluster: looking up and answering {spread('answer_us')}, applying what is decided "
          f"{spread('apply_us')}, commits {spread('commit_us')}. Answers of all shards: {spread('answer_bytes')} bytes a document.")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--copies", type=int, default=4, help="times that the corpus is in the topic (4)")
    arguments.add_argument("--runs", type=int, default=3, help="of each case, in turn (3)")
    arguments.add_argument("--large", type=int, default=10_000_000, help="documents of the large shard (10000000)")
    options = rig.parse(arguments)
    with rig.started() as bench:
        rows, size, count = costs(bench, options)
        gaps = events(bench, options.runs)
        many = large(bench, options) if options.large else None
    rig.report("Roles of a cluster",
               f"{count:,} documents, {size / 1e6:,.0f} MB of JSON: the corpus {options.copies} times, each in a separate namespace, in "
               f"{PARTITIONS} partitions. Broker and all processes share the cores. Default settings; {options.runs} runs of each in turn, median "
               "(least to most). CPU is that of whole processes after their start, of sketchers before the log with it.", options, rows)
    cost_table(rows, count)
    print(f"\n## When something happens\n\nA steady {STEADY} documents/s. The longest time between two flags around each event:\n")
    print("| event | s |\n| --- | --- |")
    for name, found in gaps.items():
        print(f"| {name} | {runs.spread(found)} |")
    if many:
        restarts, found, stored = many
        spread = lambda key: runs.spread([row[key] for row in found])
        print(f"\n## A shard with {options.large:,} documents\n\nThe state of a `scan` of generated documents, {stored / 1e9:.1f} GB. After kill -9 it "
              f"is ready in {runs.spread(restarts)} s. Documents that are like no other, {STRANGERS:,} at a time, in µs each: looking up and answering "
              f"{spread('answer_us')}, applying {spread('apply_us')}; CPU of the shard {spread('shard_us')}, of the resolver {spread('resolver_us')}.")


if __name__ == "__main__":
    main()
