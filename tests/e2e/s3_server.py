"""A local S3 server (moto) with a proxy in front of it that makes faults. The test runs again in an environment with moto and pyarrow,
fetched once; it is skipped (77) where that cannot be had, and where neardup was built without Arrow."""

import hashlib
import http.client
import http.server
import os
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import outside  # noqa: E402

PACKAGES = HERE / "s3-packages.txt"


def interpreter():
    name = f"s3-{sys.version_info[0]}.{sys.version_info[1]}-{hashlib.sha256(PACKAGES.read_bytes()).hexdigest()[:12]}"
    return outside.folder(name, lambda new: outside.install(new, PACKAGES, "moto")) / "bin" / "python"


try:
    import moto.server
except ImportError:
    if "NEARDUP_MOTO" in os.environ:
        raise
    python = outside.or_skip("NEARDUP_REQUIRE_ARROW", interpreter)
    os.execve(python, [python, "-B", *sys.argv], {**os.environ, "NEARDUP_MOTO": "1", "NEARDUP_PYARROW": "1"})

import boto3  # noqa: E402
import parquet_files  # noqa: E402,F401  (skips without Arrow)

KEY, SECRET = "AKIATESTONLY", "a-secret-that-nobody-may-see"


class Fault:
    """What the proxy does with a request: answers with `status` and an error `code`, or ends the body after `cut` bytes."""

    def __init__(self, status=0, code="", cut=None):
        self.status, self.code, self.cut = status, code, cut


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        ranged = self.headers.get("Range", "")
        with server.lock:
            server.seen.append((self.command, self.path, ranged))
            fault = server.fault(self.command, self.path, ranged)
        if KEY not in self.headers.get("Authorization", ""):
            fault = Fault(403, "InvalidAccessKeyId")
        if fault and fault.status:
            return self.answer(fault.status, {}, f"<Error><Code>{fault.code}</Code><Message>of the test</Message></Error>".encode())
        upstream = http.client.HTTPConnection("127.0.0.1", server.upstream)
        upstream.request(self.command, self.path, headers=dict(self.headers))
        got = upstream.getresponse()
        body = got.read()
        upstream.close()
        headers = {name: value for name, value in got.getheaders()
                   if name.lower() not in ("transfer-encoding", "connection", "server", "date")}
        self.answer(got.status, headers, body, fault.cut if fault else None)

    do_HEAD = do_GET

    def answer(self, status, headers, body, cut=None):
        self.send_response(status)
        if "Content-Length" not in headers:
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body if cut is None else body[:cut])
        if cut is not None:
            self.close_connection = True


class Server:
    """The endpoint `url`; `seen` are the requests, and `fault(method, path, range)` says which fail."""

    def __init__(self):
        self.moto = moto.server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.moto.start()
        port = self.moto.get_host_and_port()[1]
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        self.proxy.daemon_threads = True
        self.proxy.upstream, self.proxy.lock = port, threading.Lock()
        self.client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id=KEY,
                                   aws_secret_access_key=SECRET)
        self.client.create_bucket(Bucket="bucket")
        self.calm()
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.proxy.server_port}"

    def calm(self):
        self.proxy.seen, self.proxy.fault = [], lambda method, path, ranged: None

    def put(self, key, data):
        self.client.put_object(Bucket="bucket", Key=key, Body=data)
        return f"s3://bucket/{key}"

    def environment(self):
        return {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ENDPOINT_URL": f"http://{self.host}",
                "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}

    def close(self):
        self.proxy.shutdown()
        self.proxy.server_close()
        self.moto.stop()
