"""What can be seen of a cluster, by Kafka's own protocol: nodes, topics, offsets, positions of groups."""

import time
from typing import NamedTuple

from wire import NO_TAGS, array, ask, compact_array, compact_string, int8, int32, int64, string

PATIENCE = 30  # seconds
# Not yet, not here or not any more: unknown topic, leader not available, not leader, request timed out,
# coordinator loading, not available or moved, all brokers fenced since they have just started, not controller,
# preferred leader not available.
TRANSIENT = {3, 5, 6, 7, 14, 15, 16, 38, 41, 80}
EARLIEST, LATEST = -2, -1
GROUP, TRANSACTION = 0, 1
TOPIC = 2


class Refused(Exception):
    """The cluster answered a request with an error."""

    def __init__(self, code, message=None):
        super().__init__(f"error {code}: {message}")
        self.code = code


class Committed(NamedTuple):
    offset: int
    metadata: str


class Partition(NamedTuple):
    leader: int  # a node, -1 for none
    replicas: list
    in_sync: list


class Metadata(NamedTuple):
    brokers: dict  # node → (host, port)
    topics: dict  # name → {number: Partition}


def retried(action):
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except (OSError, Refused) as error:
            transient = isinstance(error, OSError) or error.code in TRANSIENT
            if not transient or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def check(code, message=None, fine=()):
    if code != 0 and code not in fine:
        raise Refused(code, message)


def metadata(address, topics=None):
    """Of these topics, or of all; a topic that does not exist is left out."""
    answer = ask(address, 3, 4, array(None if topics is None else map(string, topics)) + int8(0))
    answer.int32()
    brokers = {}
    for _ in range(answer.int32()):
        node = answer.int32()
        brokers[node] = (answer.string(), answer.int32())
        answer.string()
    answer.string()
    answer.int32()
    found = {}
    for _ in range(answer.int32()):
        error, name, _ = answer.int16(), answer.string(), answer.int8()
        partitions = {}
        for _ in range(answer.int32()):
            answer.int16()
            partition, leader = answer.int32(), answer.int32()
            partitions[partition] = Partition(leader, answer.array(answer.int32), answer.array(answer.int32))
        if error == 0:
            found[name] = partitions
    return Metadata(brokers, found)


class View:
    """`internal`: (host, port) of each node's plain listener."""

    def __init__(self, internal):
        self.internal = internal

    def metadata(self, topics=None):
        return self._first_of_nodes(lambda address: metadata(address, topics))

    def _ask(self, *request, **options):
        """Any node that answers: it forwards to the controller."""
        return self._first_of_nodes(lambda address: ask(address, *request, **options))

    def _first_of_nodes(self, action):
        for address in self.internal:
            try:
                return action(address)
            except OSError as error:
                last = error
        raise last

    def leader(self, topic, partition=0):
        """The node that leads a partition, -1 for none."""
        found = self.metadata([topic]).topics.get(topic, {})
        if partition not in found:
            raise Refused(3, f"{topic}/{partition} is not there")
        return found[partition].leader

    def _leader_address(self, topic, partition):
        found = self.metadata([topic])
        one = found.topics.get(topic, {}).get(partition)
        if one is None or one.leader not in found.brokers:
            raise Refused(5, f"{topic}/{partition} has no leader")
        return found.brokers[one.leader]

    def _list_offset(self, topic, partition, timestamp, committed):
        def look():
            one = string(topic) + array([int32(partition) + int64(timestamp)])
            answer = ask(self._leader_address(topic, partition), 2, 2, int32(-1) + int8(committed) + array([one]))
            answer.take(8)
            answer.string()
            answer.take(8)
            check(answer.int16())
            answer.int64()
            return answer.int64()

        return retried(look)

    def partitions(self, topic):
        return sorted(self.metadata([topic]).topics.get(topic, {}))

    def topic_config(self, topic):
        """Each setting in force → its value."""
        answer = self._ask(32, 1, array([int8(TOPIC) + string(topic) + array(None)]) + int8(0))
        answer.int32()
        answer.int32()
        check(answer.int16(), answer.string())
        answer.int8()
        answer.string()

        def setting():
            name, value = answer.string(), answer.string()
            answer.take(3)  # whether it can be set, where it comes from, whether it is a secret
            answer.array(lambda: (answer.string(), answer.string(), answer.int8()))
            return name, value

        return dict(answer.array(setting))

    def start_offsets(self, topic):
        """Partition → first offset."""
        return {p: self._list_offset(topic, p, EARLIEST, False) for p in self.partitions(topic)}

    def end_offsets(self, topic, committed=True):
        """Partition → the offset behind its last record; `committed`: as readers of committed records see it."""
        return {p: self._list_offset(topic, p, LATEST, committed) for p in self.partitions(topic)}

    def transaction_state(self, transactional_id):
        """As Kafka names it: Empty, Ongoing, CompleteCommit, CompleteAbort…"""
        def look():
            body = compact_array([compact_string(transactional_id)]) + NO_TAGS
            answer = ask(self._coordinator(transactional_id, TRANSACTION), 65, 0, body, flexible=True)
            answer.int32()
            answer.int8()
            check(answer.int16())
            answer.compact_string()
            return answer.compact_string()

        return retried(look)

    def _coordinator(self, group, kind=GROUP):
        answer = self._ask(10, 1, string(group) + int8(kind))
        answer.int32()
        check(answer.int16(), answer.string())
        answer.int32()
        return answer.string(), answer.int32()

    def committed(self, group):
        """(topic, partition) → Committed, of all that the group ever committed."""
        def look():
            answer = ask(self._coordinator(group), 9, 5, string(group) + array(None))
            answer.int32()
            found = {}
            for _ in range(answer.int32()):
                topic = answer.string()
                for _ in range(answer.int32()):
                    partition, offset, _ = answer.int32(), answer.int64(), answer.int32()
                    found[topic, partition] = Committed(offset, answer.string())
                    check(answer.int16())
            check(answer.int16())
            return found

        return retried(look)

    def lag(self, group, *topics):
        """Records that are committed in the topics but not yet behind the group's positions."""
        committed = self.committed(group)
        total = 0
        for topic in topics:
            starts, ends = self.start_offsets(topic), self.end_offsets(topic)
            assert ends, f"{topic} has no partitions"
            for partition, end in ends.items():
                total += end - committed.get((topic, partition), Committed(starts[partition], "")).offset
        return total
