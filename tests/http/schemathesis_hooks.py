"""What schemathesis cannot know from the OpenAPI document: how lines of JSON are written, and which ids there are."""

import json
import zlib

import schemathesis

IDS = ("a", "b", "c/d")


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    """Half of the bodies are as they are made, half are records with their text."""
    raw = value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode(
        errors="surrogatepass")
    if one_of_two(raw):
        return raw
    return b"".join(b'{"id":%s,"text":%s}\n' % (json.dumps(name).encode(), json.dumps(repr(raw)).encode()) for name in IDS)


@schemathesis.hook
def map_path_parameters(_, path_parameters):
    """Half of the ids are such as are in the state."""
    if path_parameters and one_of_two(repr(path_parameters).encode()):
        name = IDS[len(str(path_parameters)) % len(IDS)]
        return {key: name for key in path_parameters}
    return path_parameters


def one_of_two(raw):
    return zlib.crc32(raw) % 2
