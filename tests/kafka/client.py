"""Producers and readers of topics, by confluent_kafka; a test program calls needs.broker() before it imports this."""

import ctypes
import time
import uuid
from typing import Any, NamedTuple

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Producer, TopicPartition

from message import Message

PATIENCE = 60  # seconds

# Version 1.7 of confluent_kafka (Debian 12) releases None once too often for each message whose headers were read, and
# Python aborts when the count of references to None reaches 0. This list holds enough references, and is never freed.
ctypes.pythonapi.Py_IncRef(ctypes.py_object([None] * 1_000_000))


class Record(NamedTuple):
    """To be produced. Headers are [(name, bytes)…], the timestamp milliseconds; None leaves them to the producer."""

    value: Any = None
    key: Any = None
    headers: Any = None
    timestamp: Any = None
    partition: Any = None


class Client:
    """A user of the cluster at `bootstrap`; further settings are those of librdkafka, with _ for their dots."""

    def __init__(self, bootstrap, **settings):
        self._settings = {"bootstrap.servers": bootstrap, "socket.nagle.disable": True,
                          "log_level": 0}  # broken connections are what tests are about
        self._settings.update({key.replace("_", "."): value for key, value in settings.items()})

    def producer(self, **settings):
        more = {key.replace("_", "."): value for key, value in settings.items()}
        return Producer({**self._settings, "linger.ms": 5, "queue.buffering.max.messages": 1_000_000,
                         "message.max.bytes": 64 << 20, **more})

    def produce(self, topic, records, **settings):
        """(partition, offset) of each, in their order, once all are acknowledged. A record may be just its value."""
        producer = self.producer(enable_idempotence=True, **settings)
        places = send(producer, topic, records)
        _flush(producer)
        return places

    def begin(self, topic, records, transactional_id=None, **settings):
        """A producer whose transaction holds the records; the caller ends it, or leaves it open."""
        producer = self.producer(transactional_id=transactional_id or f"upstream-{uuid.uuid4()}", **settings)
        producer.init_transactions(PATIENCE)
        producer.begin_transaction()
        send(producer, topic, records)
        _flush(producer)
        return producer

    def produce_and_commit(self, topic, records):
        self.begin(topic, records).commit_transaction(PATIENCE)

    def produce_and_abort(self, topic, records):
        self.begin(topic, records).abort_transaction(PATIENCE)

    def read_committed_all(self, topic):
        """All messages by partition and offset, up to the ends or to the first open transaction."""
        return self._read(topic, "read_committed")

    def read_uncommitted_all(self, topic):
        return self._read(topic, "read_uncommitted")

    def _read(self, topic, isolation):
        deadline = time.monotonic() + PATIENCE
        with self.reader(topic, isolation) as reader:
            while not reader.at_ends():
                reader.poll()
                if time.monotonic() > deadline:
                    raise TimeoutError(f"{topic} not read to its ends within {PATIENCE} s: {reader.last_error}")
            return sorted(reader.messages)

    def reader(self, topic, isolation="read_committed"):
        return Reader(self._settings, topic, isolation)


class Reader:
    """Follows a topic from its beginning; `with client.reader(…) as reader` closes it."""

    def __init__(self, settings, topic, isolation):
        self.messages = []  # by partition in their order
        self.last_error = None
        self._consumer = Consumer({**settings, "group.id": f"reader-{uuid.uuid4()}", "isolation.level": isolation,
                                   "enable.partition.eof": True, "enable.auto.commit": False, "fetch.wait.max.ms": 10,
                                   "check.crcs": True})
        self._before_end = set(self._consumer.list_topics(topic, PATIENCE).topics[topic].partitions)
        self._consumer.assign([TopicPartition(topic, p, OFFSET_BEGINNING) for p in self._before_end])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._consumer.close()

    def at_ends(self):
        """Whether each partition has been read to what was its end."""
        return not self._before_end

    def poll(self, seconds=0.05):
        """Takes what is there, waiting so long at most."""
        for message in self._consumer.consume(10_000, seconds):
            error = message.error()
            if error is None:
                self.messages.append(_message(message))
            elif error.code() == KafkaError._PARTITION_EOF:
                self._before_end.discard(message.partition())
            else:
                self.last_error = error


def send(producer, topic, records):
    """Hands the records over; the list returned is filled with (partition, offset) as they are acknowledged."""
    places = []
    for record in records:
        if not isinstance(record, Record):
            record = Record(record)
        optional = {"timestamp": record.timestamp, "partition": record.partition, "headers": record.headers}
        optional = {name: value for name, value in optional.items() if value is not None}
        places.append(None)
        _hand_over(producer, topic, record, _filler(places, len(places) - 1), optional)
    return places


def _hand_over(producer, topic, record, on_delivery, optional):
    while True:
        try:
            return producer.produce(topic, value=record.value, key=record.key, on_delivery=on_delivery, **optional)
        except BufferError:
            producer.poll(0.1)


def _filler(places, at):
    def delivered(error, message):
        if error is not None:
            raise RuntimeError(f"record {at} was not delivered: {error}")
        places[at] = message.partition(), message.offset()
    return delivered


def _flush(producer):
    if producer.flush(PATIENCE) != 0:
        raise TimeoutError(f"records not acknowledged within {PATIENCE} s")


def _message(message):
    return Message(message.topic(), message.partition(), message.offset(), message.timestamp()[1], message.key(),
                   message.value(), message.headers() or [])
