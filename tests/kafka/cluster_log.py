"""The log of a cluster, read by docs/formats/log.md alone: messages, and the rule by which they count. Independent of the
program: nothing here was made from its sources."""

import ctypes
import ctypes.util
from typing import Any, NamedTuple

CHUNK, PLACEMENT, DECIDED, ANSWERS = 1, 2, 3, 4
KINDS = "document", "delete", "rejected"
REASONS = ("", "invalid_json", "missing_id", "invalid_id", "missing_text", "invalid_text", "duplicate_field",
           "invalid_escape", "invalid_utf8", "record_too_large", "text_too_large")
_xxhash = ctypes.CDLL("libxxhash.so.0")
_xxhash.XXH3_64bits.restype = ctypes.c_uint64
_zstd = ctypes.CDLL("libzstd.so.1")
_zstd.ZSTD_decompress.restype = _zstd.ZSTD_isError.restype = ctypes.c_size_t


class Damaged(Exception):
    pass


class Record(NamedTuple):
    """What of a record travels."""

    topic: str
    partition: int
    offset: int
    kind: str
    id: str
    namespace: str
    ts_ms: Any
    reason: str
    detail: str
    content: bytes
    tokens: int
    text_bytes: int
    sketch: Any
    text: Any
    url: str
    raw_text_bytes: int
    trace: Any  # (traceparent, tracestate)

    @property
    def place(self):
        return self.topic, self.partition, self.offset


class Chunk(NamedTuple):
    topic: str
    partition: int
    start: int
    end: int
    records: list


class Decided(NamedTuple):
    rule: str
    first: int
    next: int
    offset: int
    positions: dict  # (topic, partition) → offset
    next_seq: int
    epoch: int


class Answer(NamedTuple):
    """What a shard tells about a record. Documents are pairs of seq and id."""

    shard: int
    as_of: int
    seq: int
    version: Any = None  # seq of the current version of its id
    same: tuple = ()  # documents with the same content
    nominees: tuple = ()  # documents that pass the verification


class Reader:
    """Takes bytes off the front of a message."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Damaged("it ends early")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def bytes(self):
        return self.take(self.varint())

    def text(self):
        return self.bytes().decode()

    def done(self):
        if self.at != len(self.data):
            raise Damaged("more comes behind its end")


def check_of(data):
    return _xxhash.XXH3_64bits(data, ctypes.c_size_t(len(data)))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def sized(data):
    data = data.encode() if isinstance(data, str) else data
    return varint(len(data)) + data


def message(kind, cluster, body):
    data = bytes([1, kind]) + sized(cluster) + body
    return data + check_of(data).to_bytes(8, "little")


def open_message(data, cluster):
    """(kind, reader of the body), or what else it is to readers: a word."""
    if len(data) < 8 or check_of(data[:-8]) != int.from_bytes(data[-8:], "little"):
        return "damaged"
    reader = Reader(data[:-8])
    version, kind, of = reader.number(1), reader.number(1), reader.text()
    if of != cluster:
        return "other_cluster"
    assert version == 1, "a newer version"
    return kind, reader


def read_chunk(reader, rule):
    """A Chunk, or "other_rule"."""
    if reader.text() != rule:
        return "other_rule"
    topic, partition, start, length = reader.text(), reader.varint(), reader.varint(), reader.varint()
    has_texts = reader.number(1) == 1
    records, offset = [], start
    for _ in range(reader.varint()):
        record = _read_record(reader, topic, partition, offset, has_texts)
        records.append(record)
        offset = record.offset + 1
    reader.done()
    if length < 1 or offset > start + length or len(records) > 256:
        raise Damaged("records beyond its range")
    return Chunk(topic, partition, start, start + length, records)


def _read_record(reader, topic, partition, position, has_texts):
    bits = reader.number(1)
    offset = position + reader.varint()
    kind, name, namespace = KINDS[bits & 3], reader.text(), reader.text()
    ts_ms = int.from_bytes(reader.take(8), "little", signed=True) if bits & 4 else None
    reason = detail = ""
    if kind == "rejected":
        reason, detail = REASONS[reader.number(1)], reader.text()
    content, tokens, text_bytes, sketch, text = b"", 0, 0, None, None
    if kind == "document":
        content, tokens, text_bytes = reader.take(16), reader.varint(), reader.varint()
        if bits & 8:
            reader.varint()
            sketch = reader.bytes()
        if has_texts and text_bytes:
            text = _unpacked(reader.bytes())
    url = reader.text() if bits & 16 else ""
    raw_text_bytes = reader.varint() if bits & 32 else 0
    trace = (reader.text(), reader.text()) if bits & 64 else None
    return Record(topic, partition, offset, kind, name, namespace, ts_ms, reason, detail, content, tokens, text_bytes,
                  sketch, text, url, raw_text_bytes, trace)


def _unpacked(data):
    reader = Reader(data)
    size = reader.varint()
    frame = data[reader.at:]
    text = ctypes.create_string_buffer(size)
    got = _zstd.ZSTD_decompress(text, ctypes.c_size_t(size), frame, ctypes.c_size_t(len(frame)))
    if _zstd.ZSTD_isError(ctypes.c_size_t(got)) or got != size:
        raise Damaged("a text")
    return text.raw


def read_answers(reader, rule, bands):
    """The shard, and an Answer for each record of the message; `bands`: of the rule."""
    assert reader.text() == rule
    shard, first, as_of, records = (reader.varint() for _ in range(4))
    documents = []
    for _ in range(reader.varint()):
        seq, name = as_of - reader.varint(), reader.text()
        reader.varint()  # distinct shingles
        documents.append((seq, name))
    for _ in range(reader.varint()):  # lists
        for _ in range(reader.varint() // 2):
            reader.varint()
    answers = [Answer(shard, as_of, seq) for seq in range(first, first + records)]
    at = -1
    for _ in range(reader.varint()):
        at += reader.varint() + 1
        answers[at] = _read_answer(reader, answers[at], documents, bands)
    reader.done()
    return shard, answers


def _read_answer(reader, answer, documents, bands):
    bits = reader.number(1)
    if bits & 1:
        answer = answer._replace(version=_read_version(reader, answer.as_of))
    if bits & 2:
        answer = answer._replace(same=tuple(documents[reader.varint()] for _ in range(reader.varint())))
    if bits & 8:
        for _ in range(reader.varint()):
            reader.varint(), reader.take((bands + 7) // 8)
    if bits & 16:
        nominees = []
        for _ in range(reader.varint()):
            nominees.append(documents[reader.varint()])
            reader.varint(), reader.varint()
        answer = answer._replace(nominees=tuple(nominees))
    return answer


def _read_version(reader, as_of):
    bits = reader.number(1)
    seq = as_of - reader.varint()
    reader.take(24)  # time and content
    for _ in range((2 if bits & 1 else 0) + (1 if bits & 2 else 0) + (1 if bits & 4 else 0)):
        reader.varint()
    return seq


def encode_placement(cluster, epoch, answering, active):
    def numbers(shards):
        return varint(len(shards)) + b"".join(varint(shard) for shard in shards)

    return message(PLACEMENT, cluster, varint(epoch) + numbers(sorted(answering)) + numbers(active))


def effects_of_documents(count):
    """All of them are versions with a document, and nothing ends."""
    return bytes([0x33] * (count // 2) + [0x03] * (count % 2))


def encode_decided(cluster, decided, chain="0" * 32, effects=b"", again=False):
    positions = "".join(f"{topic} {partition} {offset}\n" for (topic, partition), offset in decided.positions.items())
    log = bytes([1]) + sized(positions) + varint(decided.next_seq) + varint(decided.epoch)
    body = (sized(decided.rule) + varint(decided.first) + varint(decided.next) + varint(decided.offset) + sized(log)
            + bytes(16) + varint(0) + sized(chain) + bytes([again + 2 * bool(effects)]) + effects)
    return message(DECIDED, cluster, body)


class Log:
    """A reader of the log: takes its messages in order and keeps the records that count."""

    def __init__(self, cluster, rule, positions=None):
        self.cluster, self.rule = cluster, rule
        self.positions = dict(positions or {})
        self.epoch = 0
        self.accepted = []
        self.outcomes = []

    def take(self, data):
        outcome = self._outcome(data)
        self.outcomes.append(outcome)
        return outcome

    def count(self, outcome):
        return self.outcomes.count(outcome)

    def _outcome(self, data):
        try:
            opened = open_message(data, self.cluster)
            if isinstance(opened, str):
                return opened
            kind, reader = opened
            if kind == PLACEMENT:
                return self._place(reader.varint())
            assert kind == CHUNK, kind
            chunk = read_chunk(reader, self.rule)
        except (Damaged, IndexError, UnicodeDecodeError):
            return "damaged"
        return chunk if isinstance(chunk, str) else self._turn(chunk)

    def _place(self, epoch):
        if epoch != self.epoch + 1:
            return "void"
        self.epoch = epoch
        return "placement"

    def _turn(self, chunk):
        source = chunk.topic, chunk.partition
        position = self.positions.get(source, 0)
        if chunk.end <= position:
            return "seen"
        if chunk.start > position:
            return "gap"
        self.positions[source] = chunk.end
        self.accepted += [record for record in chunk.records if record.offset >= position]
        return "chunk"
