"""An OAuth 2.0 token endpoint of the tests: client credentials in, signed tokens (JWT, RS256) out, and the key that brokers
check them with (JWKS)."""

import base64
import http.server
import json
import pathlib
import subprocess
import threading
import time

ISSUER, AUDIENCE = "https://tokens.test", "kafka"


def _unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _openssl(*words, input=None):
    return subprocess.run(["openssl", *words], input=input, check=True, capture_output=True).stdout


class TokenServer:
    """`clients`: id → secret. Tokens live for `seconds`. `with TokenServer(…) as server` serves until its end.

    Set `broken` to (status, body) to have every request for a token answered so.
    """

    def __init__(self, folder, clients, seconds=300):
        self._key = pathlib.Path(folder) / "token.key"
        self._key.parent.mkdir(parents=True, exist_ok=True)
        _openssl("genrsa", "-out", str(self._key), "2048")
        self.clients = dict(clients)
        self.seconds = seconds
        self.broken = None
        self.given = 0  # tokens
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server._answer(self, *(server._keys() if self.path == "/keys" else (404, {})))

            def do_POST(self):
                form = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                server._answer(self, *server._token(self.headers.get("Authorization", ""), form))

            def log_message(self, *_):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._http.server_close()

    @property
    def token_url(self):
        return f"http://127.0.0.1:{self._http.server_address[1]}/token"

    @property
    def keys_url(self):
        return f"http://127.0.0.1:{self._http.server_address[1]}/keys"

    def _answer(self, handler, status, body):
        data = json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _token(self, authorization, form):
        if self.broken:
            return self.broken
        client, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if b"grant_type=client_credentials" not in form or self.clients.get(client) != secret:
            return 401, {"error": "invalid_client"}
        self.given += 1
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": client, "iat": now, "exp": now + self.seconds}
        parts = [_unpadded(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "one", "typ": "JWT"}, claims)]
        signed = ".".join(parts)
        signature = _openssl("dgst", "-sha256", "-sign", str(self._key), input=signed.encode())
        return 200, {"access_token": f"{signed}.{_unpadded(signature)}", "token_type": "Bearer",
                     "expires_in": self.seconds}

    def _keys(self):
        modulus = _openssl("rsa", "-in", str(self._key), "-modulus", "-noout").decode().partition("=")[2].strip()
        key = {"kty": "RSA", "kid": "one", "use": "sig", "alg": "RS256", "e": "AQAB",
               "n": _unpadded(bytes.fromhex(modulus))}
        return 200, {"keys": [key]}
