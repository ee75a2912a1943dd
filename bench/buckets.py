#!/usr/bin/env python3
"""Speed and memory of `scan` from a bucket, compared with the local file. Standard library only, and a neardup that has Arrow.

  bench/buckets.py FILE... [--binary build/neardup] [--repeat 7]

The server is a process of this program that answers the requests of S3 which a scan makes (HEAD and ranged GET) with bytes of the files,
on the same machine and its processors: it shows what the way through HTTP costs, not a network. Local file and bucket run in turns; shown is
the median of REPEAT runs. CPU seconds are of neardup alone.
"""

import argparse
import email.utils
import http.server
import multiprocessing
import os
import pathlib
import re
import statistics

from scan_costs import costs


class Objects(http.server.BaseHTTPRequestHandler):
    """/bucket/NUMBER-NAME is a file of `server.files`."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        found = re.fullmatch(r"/bucket/(\d+)-[^/?]*", self.path)
        if not found:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        with open(self.server.files[int(found[1])], "rb") as file:
            size = os.fstat(file.fileno()).st_size
            first, last, ranged = 0, size - 1, self.headers.get("Range")
            if ranged:
                wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", ranged)
                first, last = int(wanted[1]), min(int(wanted[2]), size - 1)
            self.send_response(206 if ranged else 200)
            for name, value in {"Content-Length": last - first + 1, "ETag": f'"{found[1]}"', "Accept-Ranges": "bytes",
                                "Last-Modified": email.utils.formatdate(0, usegmt=True)}.items():
                self.send_header(name, str(value))
            if ranged:
                self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
            self.end_headers()
            if self.command == "GET":
                self.wfile.flush()
                while first <= last:
                    first += os.sendfile(self.connection.fileno(), file.fileno(), first, last + 1 - first)

    do_HEAD = do_GET


def serve(files, ready):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Objects)
    server.daemon_threads, server.files = True, files
    ready.send(server.server_port)
    server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--binary", default="build/neardup")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    ready, told = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.Process(target=serve, args=(options.files, told), daemon=True)
    server.start()
    environment = {**os.environ, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{ready.recv()}", "AWS_REGION": "us-east-1",
                   "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_EC2_METADATA_DISABLED": "true"}
    print("| file | MB stored | local: MB/s stored | CPU s | peak MB | bucket: MB/s stored | CPU s | peak MB | bucket / local |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for number, file in enumerate(options.files):
        runs = {str(file): [], f"s3://bucket/{number}-{file.name}": []}
        for _ in range(options.repeat):
            for path, found in runs.items():
                found.append(costs(options.binary, path, environment=environment))
        stored = file.stat().st_size / 1e6
        cells, rates = [], []
        for found in runs.values():
            seconds, cpu, memory = (statistics.median(values) for values in zip(*found))
            rates.append(stored / seconds)
            cells += [f"{rates[-1]:.0f}", f"{cpu:.2f}", f"{memory / 1e6:.0f}"]
        print(f"| {file.name} | {stored:.0f} | {' | '.join(cells)} | {rates[1] / rates[0]:.2f} |", flush=True)
    server.terminate()


if __name__ == "__main__":
    main()
