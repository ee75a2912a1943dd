"""One connection to a service, with retries: standard library only."""

import http.client
import json
import ssl
import time
import urllib.parse

from ._errors import ServiceError, UnreachableError, UnsupportedError

_AGAIN = {408, 429, 503}  # statuses after which the same request may succeed
_LONGEST_WAIT = 10.0  # seconds between two tries


class Connection:
    """Sends requests one after another. A request that got no answer, or a 408, 429 or 503, is resent up to `retries` times: every
    request of this package may be, since a document that was stored already is `unchanged`."""

    def __init__(self, url, token, retries, timeout, context):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServiceError(f"{url!r}: not a URL such as http://host:8080")
        self.url, self._prefix = url, parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._retries = retries
        if parts.scheme == "https":
            self._http = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=timeout,
                                                     context=context or ssl.create_default_context())
        else:
            self._http = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)

    def request(self, method, path, body=None, query=None, content_type="application/json"):
        """The body of the answer. `path`: with its parts quoted; `body`: bytes, or a function that returns the pieces of it, once a try;
        `query`: a dict, in which None leaves a key out."""
        target = self._prefix + path
        query = {key: value for key, value in (query or {}).items() if value is not None}
        if query:
            target += "?" + urllib.parse.urlencode(query)
        headers = dict(self._headers, **({"Content-Type": content_type} if body is not None else {}))
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                answer = self._exchange(method, target, body() if callable(body) else body, headers)
                content = answer.read()
            except (OSError, http.client.HTTPException) as error:
                self._http.close()
                if last:
                    raise UnreachableError(f"{self.url}: no answer after {attempt + 1} tries ({error or type(error).__name__})") from error
                time.sleep(min(0.1 * 2 ** attempt, _LONGEST_WAIT))
                continue
            if answer.status == 202:
                raise ServiceError("the documents are in their topic of Kafka, but not their flags within the time (of at most 1,000 a call); "
                                   "the output topic will have them", 202, "no_flags_yet")
            if answer.status < 300:
                return content
            if last or answer.status not in _AGAIN:
                raise self._refusal(answer, content)
            time.sleep(min(_seconds(answer.headers.get("Retry-After"), 0.1 * 2 ** attempt), _LONGEST_WAIT))
        return None

    def _exchange(self, *request):
        try:
            try:
                self._http.request(*request)
            except (BrokenPipeError, ConnectionResetError):
                # The service takes no more of the body, and perhaps has said why; unless there was no connection yet.
                if self._http.sock is None or self._http.sock.fileno() < 0:
                    raise
            return self._http.getresponse()
        except BaseException:
            self._http.close()  # in the middle of a request it takes no other
            raise

    def _refusal(self, answer, content):
        try:
            problem = json.loads(content)
            detail, reason = problem["detail"], problem.get("reason")
        except (ValueError, KeyError, TypeError):
            detail, reason = f"{self.url}: {answer.status} {answer.reason}", None
        kind = UnsupportedError if answer.status in (404, 405, 501) else ServiceError
        return kind(detail, answer.status, reason)

    def close(self):
        self._http.close()


def _seconds(header, default):
    return float(header) if header and header.isdigit() else default
