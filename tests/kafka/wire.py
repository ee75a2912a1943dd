"""Kafka's wire format, as far as the fixture needs it for what its client library does not offer."""

import socket
import struct

TIMEOUT = 30


def int8(value):
    return struct.pack(">b", value)


def int16(value):
    return struct.pack(">h", value)


def int32(value):
    return struct.pack(">i", value)


def int64(value):
    return struct.pack(">q", value)


def string(value):
    if value is None:
        return int16(-1)
    data = value.encode()
    return int16(len(data)) + data


def array(items):
    """An array of encoded items; None makes the null array."""
    if items is None:
        return int32(-1)
    items = list(items)
    return int32(len(items)) + b"".join(items)


NO_TAGS = b"\0"  # ends each structure of the flexible versions


def compact_length(length):
    assert length < 127, "longer ones need more than one byte"
    return bytes([length + 1])


def compact_string(value):
    return compact_length(len(value.encode())) + value.encode()


def compact_array(items):
    items = list(items)
    return compact_length(len(items)) + b"".join(items)


class Reader:
    """Takes an answer apart from its front."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def take(self, size):
        self._at += size
        return self._data[self._at - size:self._at]

    def int8(self):
        return struct.unpack(">b", self.take(1))[0]

    def int16(self):
        return struct.unpack(">h", self.take(2))[0]

    def int32(self):
        return struct.unpack(">i", self.take(4))[0]

    def int64(self):
        return struct.unpack(">q", self.take(8))[0]

    def string(self):
        length = self.int16()
        return None if length < 0 else self.take(length).decode()

    def compact_string(self):
        length = self.int8() - 1
        assert length >= 0, "longer ones need more than one byte"
        return self.take(length).decode()

    def array(self, item):
        return [item() for _ in range(self.int32())]


def receive(connection, size):
    data = bytearray()
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the other side closed the connection")
        data += more
    return bytes(data)


def ask(address, api_key, version, body, flexible=False):
    """The answer of the broker at (host, port), behind its header."""
    header = int16(api_key) + int16(version) + int32(0) + string("fixture") + (NO_TAGS if flexible else b"")
    with socket.create_connection(address, TIMEOUT) as connection:
        connection.sendall(int32(len(header + body)) + header + body)
        size = struct.unpack(">i", receive(connection, 4))[0]
        answer = Reader(receive(connection, size))
    answer.take(5 if flexible else 4)  # the number of the request, tags
    return answer
