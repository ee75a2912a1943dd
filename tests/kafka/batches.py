"""Batches of records as Kafka stores and sends them (version 2 of the format), to make those that no client would."""

import pathlib
import struct

from view import check
from wire import array, ask, int8, int16, int32, int64, string

GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4
HEAD = 61  # bytes before the records
CRC_AT, CRC_FROM = 17, 21
_POLYNOMIAL = 0x82F63B78  # CRC-32C, reflected


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def _entry(value):
    for _ in range(8):
        value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
    return value


_TABLE = [_entry(byte) for byte in range(256)]


def varint(value):
    value = value << 1 ^ value >> 63
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def part(data):
    return varint(-1) if data is None else varint(len(data)) + data


def one_record(offset_delta, key, value, timestamp_delta=0):
    body = b"\0" + varint(timestamp_delta) + varint(offset_delta) + part(key) + part(value) + varint(0)
    return varint(len(body)) + body


def batch(records, timestamp, compression=0, count=None):
    """`records`: the bytes of records as sent, compressed or not; `count`: how many the head claims to hold."""
    checked = (int16(compression) + int32(count - 1) + int64(timestamp) + int64(timestamp) + int64(-1) + int16(-1)
               + int32(-1) + int32(count) + records)
    head = int32(-1) + int8(2) + struct.pack(">I", crc32c(checked))
    return int64(0) + int32(len(head + checked)) + head + checked


def produce(cluster, topic, data, partition=0):
    """Sends one batch as it is; the broker refuses most wrong ones."""
    one = string(topic) + array([int32(partition) + int32(len(data)) + data])
    body = string(None) + int16(-1) + int32(30_000) + array([one])
    answer = ask(cluster._leader_address(topic, partition), 0, 3, body)
    answer.int32()
    answer.string()
    answer.take(8)
    check(answer.int16(), "produce")


def damage(log, number, change, checksum=True):
    """Replaces the records of a batch in a file of a stopped broker by what `change` makes of them, in as many bytes.

    checksum: it is right afterwards."""
    data = bytearray(pathlib.Path(log).read_bytes())
    at = 0
    for _ in range(number):
        at += 12 + struct.unpack_from(">i", data, at + 8)[0]
    end = at + 12 + struct.unpack_from(">i", data, at + 8)[0]
    changed = change(bytes(data[at + HEAD:end]))
    assert len(changed) == end - at - HEAD
    data[at + HEAD:end] = changed
    if checksum:
        struct.pack_into(">I", data, at + CRC_AT, crc32c(data[at + CRC_FROM:end]))
    pathlib.Path(log).write_bytes(data)
