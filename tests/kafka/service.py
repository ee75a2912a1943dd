"""`neardup serve` as a process under test: its configuration, its end, its log, its output so far."""

import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.error
import urllib.request

from broker import die_with_parent

BINARY = os.environ.get("NEARDUP_BINARY", "neardup")
PATIENCE = 60  # seconds


def config(cluster, topics, state, group="neardup", output="flags", dead_letters="dead", **more):
    """The keys that every test needs; more of them with __ for the dot, or as a dict to be merged."""
    keys = {
        "kafka.brokers": cluster.bootstrap,
        "kafka.topics": list(topics),
        "kafka.group_id": group,
        "kafka.output_topic": output,
        "kafka.dead_letter_topic": dead_letters,
        "storage.path": str(state),
        "storage.memory": "16MiB",
        "batch.documents": 50,
        "batch.linger_ms": 20,
        "http.listen": "127.0.0.1:0",
    }
    keys.update({key.replace("__", "."): value for key, value in more.items()})
    return keys


def nested(keys):
    """{"a.b.c": 1} as {"a": {"b": {"c": 1}}}: the form of a configuration file."""
    sections = {}
    for key, value in keys.items():
        *names, name = key.split(".")
        section = sections
        for one in names:
            section = section.setdefault(one, {})
        section[name] = value
    return sections


def listening_address(line):
    """HOST:PORT from the log line that has it; None for any other line."""
    record = json.loads(line)
    return record["address"] if record.get("event") == "listening" else None


class Service:
    """One run at a time; `start` again after an end continues with the same state. All logs go to one file."""

    def __init__(self, folder, keys, options=(), environment=None):
        """keys: as `config` gives them; an extra `options` word each; environment: added variables."""
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.keys = dict(keys)
        self.options = list(options)
        self.environment = dict(environment or {})
        self.log = self.folder / "log.jsonl"
        self.process = None
        self.before_exec = die_with_parent  # in the child
        self._run_begins = 0  # where in the log file the present run begins

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()

    def start(self, environment=None):
        """`environment` is for this run only: a failpoint, for one."""
        assert not self.running(), "it runs already"
        file = self.folder / "config.yaml"
        file.write_text(json.dumps(nested(self.keys), indent=1))  # JSON is YAML
        self._run_begins = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.words(file), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.environment, **(environment or {})}, preexec_fn=self.before_exec)
        return self

    def words(self, file):
        """Its command line."""
        return [BINARY, "serve", "-c", str(file), *self.options]

    def running(self):
        return self.process is not None and self.process.poll() is None

    def log_text(self, all_runs=False):
        if not self.log.exists():
            return ""
        with open(self.log, "rb") as log:
            log.seek(0 if all_runs else self._run_begins)
            return log.read().decode(errors="replace")

    def events(self, name=None, all_runs=False):
        """The log lines as objects, all or those of one event."""
        found = []
        for line in self.log_text(all_runs).splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and name in (None, record.get("event")):
                found.append(record)
        return found

    def address(self):
        """HOST:PORT of its HTTP port, None while it does not listen."""
        for line in self.log_text().splitlines():
            try:
                address = listening_address(line)
            except ValueError:
                continue
            if address:
                return address
        return None

    def get(self, path):
        """(status, body) of an HTTP request; status None where nothing answers."""
        address = self.address()
        if address is None:
            return None, b""
        try:
            with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()
        except OSError:
            return None, b""

    def ready(self):
        return self.get("/readyz")[0] == 200

    def wait_ready(self, seconds=PATIENCE):
        self.wait_until(self.ready, "readiness", seconds)
        return self

    def wait_until(self, condition, what, seconds=PATIENCE):
        """Fails with the end of the log when the service ends or the time is over before the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            if not self.running():
                raise AssertionError(f"ended with {self.process.returncode} before {what}; {self._end_of_log()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {seconds} s for {what}; {self._end_of_log()}")
            time.sleep(0.02)

    def wait_exit(self, seconds=PATIENCE):
        """The exit status; minus the signal where one ended it."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {seconds} s; {self._end_of_log()}") from None

    def wait_flags(self, client, count, seconds=PATIENCE):
        """Until the output topic holds so many committed records; returns them."""
        with client.reader(self.keys["kafka.output_topic"]) as reader:
            def there():
                reader.poll()
                return len(reader.messages) >= count

            self.wait_until(there, f"{count} flags", seconds)
            return sorted(reader.messages)

    def wait_caught_up(self, cluster, seconds=PATIENCE):
        """Until its group has committed positions at the ends of all its topics."""
        self.wait_until(lambda: cluster.lag(self.keys["kafka.group_id"], *self.keys["kafka.topics"]) == 0,
                        "the end of the lag", seconds)

    def wait_caught_up_or_ended(self, cluster, seconds=PATIENCE):
        """As `wait_caught_up`, but it may end instead: its exit status then."""
        try:
            self.wait_caught_up(cluster, seconds)
        except AssertionError:
            if self.running():
                raise
            return self.process.returncode
        return None

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self, seconds=PATIENCE):
        """SIGTERM, and the exit status."""
        self.terminate()
        return self.wait_exit(seconds)

    def kill(self):
        """SIGKILL, as the kernel sends it; fine when it has ended already."""
        if self.running():
            self.process.kill()
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def _end_of_log(self):
        return "its log ends:\n" + "\n".join(self.log_text().splitlines()[-25:])
