"""The HTTP port of a real service, under hostile clients: what they cost, and that others are still answered."""

import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "http"))

import hostile_clients as hostile  # noqa: E402
import service  # noqa: E402
import waiting_port  # noqa: E402

MB = 1_000_000
ADDRESSES = [f"127.0.0.{i}" for i in range(2, 12)]


class Port(unittest.TestCase):
    def setUp(self):
        self.made = self.enterContext(waiting_port.port())
        self.address = self.made.address()
        for _ in range(3):  # memory of the first requests is kept
            self.assertTrue(hostile.ask(self.address, b"GET /metrics HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200"))
        hostile.flood(self.address, hostile.BEGUN, b"x" * 4096, MB)
        self.before = hostile.settled_memory(self.made.process)

    def assert_costs_less_than(self, most):
        self.assertLess(hostile.memory_bytes(self.made.process, "VmHWM") - self.before, most)

    def assert_probe_answered(self, source=None):
        answer = hostile.ask(self.address, source=source)
        self.assertTrue(answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"\r\n\r\nok\n"), answer)

    def cut(self):
        """{limit: connections}, as the metrics tell."""
        lines = self.made.get("/metrics")[1].decode().splitlines()
        cut = [line.split('limit="')[1].split('"} ') for line in lines
               if line.startswith("neardup_http_connections_cut_total{")]
        return {limit: float(count) for limit, count in cut}

    def test_300_mb_of_a_header_line_take_no_memory(self):
        sent, _ = hostile.flood(self.address, hostile.BEGUN, b"x" * MB, 300 * MB)
        self.assertLess(sent, 300 * MB)
        self.assert_costs_less_than(2 * MB)
        self.assert_probe_answered()
        self.assertEqual(self.cut(), {"connections": 0, "connections_per_client": 0, "size": 2, "time": 0})

    def test_300_mb_of_header_lines_take_no_memory(self):
        sent, _ = hostile.flood(self.address, hostile.BEGUN[:-3], (b"A: " + b"b" * 8000 + b"\r\n") * 125, 300 * MB)
        self.assertLess(sent, 300 * MB)
        self.assert_costs_less_than(2 * MB)

    def test_ranges_are_not_served(self):
        request = b"GET /metrics HTTP/1.1\r\nHost: x\r\nRange: bytes=" + b",".join([b"0-"] * 2700) + b"\r\n\r\n"
        clients = []
        for _ in range(8):  # that do not read
            clients.append(self.enterContext(hostile.connect(self.address, receive_buffer=4096)))
            clients[-1].sendall(request)
        self.assert_probe_answered()
        answer = hostile.ask(self.address, request.replace(b"Host", b"Connection: close\r\nHost"))
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"))
        self.assertEqual(answer.count(b"# TYPE neardup_ready gauge"), 1)
        self.assert_costs_less_than(2 * MB)

    def test_dripping_clients_delay_nobody(self):
        for sources in (["127.0.0.1"], ADDRESSES):
            with hostile.Drippers(self.address, 600, sources):
                for _ in range(30):
                    self.assert_probe_answered()
                    self.assert_probe_answered(sources[-1])
                done = subprocess.run([service.BINARY, "health", f"http://{self.made.address()}/healthz"],
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (0, f"http://{self.made.address()}/healthz: ok\n"))
        cut = self.cut()
        self.assertGreater(cut["connections_per_client"], 500)
        self.assertGreater(cut["connections"], 80)

    def test_all_connections_with_full_heads_take_bounded_memory(self):
        clients = []
        for number in range(512):
            clients.append(self.enterContext(hostile.connect(self.address, ADDRESSES[number % len(ADDRESSES)])))
            clients[-1].sendall(hostile.BEGUN + b"x" * 16_000)
        self.assert_probe_answered()
        self.assert_costs_less_than(32 * MB)


if __name__ == "__main__":
    unittest.main()
