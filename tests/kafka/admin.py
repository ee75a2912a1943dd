"""What an administrator changes in a cluster: topics, records, leaders, positions of groups, access."""

import time

from view import PATIENCE, TOPIC, Refused, View, check, metadata, retried
from wire import NO_TAGS, array, ask, compact_array, compact_string, int8, int16, int32, int64, string

ELECTION_NOT_NEEDED, GROUP_NOT_FOUND = 84, 69
RESOURCES = {"topic": 2, "group": 3, "cluster": 4, "transactional_id": 5}
OPERATIONS = {"all": 2, "read": 3, "write": 4, "create": 5, "delete": 6, "alter": 7, "describe": 8,
              "describe_configs": 10, "idempotent_write": 12}


class Admin(View):
    """Each call returns when what it asked for has happened."""

    def create_topic(self, name, partitions=1, config=None, replicas=None):
        replicas = replicas or len(self.internal)
        configs = [string(key) + string(str(value)) for key, value in (config or {}).items()]
        topic = string(name) + int32(partitions) + int16(replicas) + array([]) + array(configs)

        def create():
            answer = self._ask(19, 4, array([topic]) + int32(PATIENCE * 1000) + int8(0))
            answer.take(8)
            answer.string()
            check(answer.int16(), answer.string())

        retried(create)
        self.wait_in_sync(name, partitions)

    def create_partitions(self, name, count):
        """More partitions, until there are `count`."""
        def create():
            answer = self._ask(37, 1, array([string(name) + int32(count) + array(None)]) + int32(PATIENCE * 1000)
                               + int8(0))
            answer.take(8)
            answer.string()
            check(answer.int16(), answer.string())

        retried(create)
        self.wait_in_sync(name, count)

    def wait_in_sync(self, name, partitions):
        """Until every node sees so many partitions of the topic, led and with all replicas in sync."""
        def there(address):
            found = metadata(address, [name]).topics.get(name, {})
            return len(found) == partitions and all(one.leader >= 0 and set(one.in_sync) == set(one.replicas)
                                                    for one in found.values())

        self._wait(lambda: all(map(there, self.internal)), f"{partitions} partitions of {name} in sync")

    def delete_topic(self, name):
        def delete():
            answer = self._ask(20, 3, array([string(name)]) + int32(PATIENCE * 1000))
            answer.take(8)
            answer.string()
            check(answer.int16())

        retried(delete)
        self._wait(lambda: all(name not in metadata(address, [name]).topics for address in self.internal),
                   f"the end of {name}")

    def set_topic_config(self, name, **config):
        """Keys with _ for their dots."""
        changes = [string(key.replace("_", ".")) + int8(0) + string(str(value)) for key, value in config.items()]
        answer = self._ask(44, 0, array([int8(TOPIC) + string(name) + array(changes)]) + int8(0))
        answer.take(8)
        check(answer.int16(), answer.string())

    def delete_records(self, topic, partition, before):
        """The log then starts at offset `before`."""
        def delete():
            one = string(topic) + array([int32(partition) + int64(before)])
            answer = ask(self._leader_address(topic, partition), 21, 1, array([one]) + int32(PATIENCE * 1000))
            answer.take(8)
            answer.string()
            answer.take(4 + 4 + 8)
            check(answer.int16())

        retried(delete)

    def move_leader(self, topic, partition, node):
        """`node`, a replica already, becomes the preferred replica of the partition and its leader."""
        others = sorted(set(self.metadata([topic]).topics[topic][partition].replicas) - {node})
        one = int32(partition) + compact_array(map(int32, [node, *others])) + NO_TAGS
        body = int32(PATIENCE * 1000) + compact_array([compact_string(topic) + compact_array([one]) + NO_TAGS])

        def reassign():
            answer = self._ask(45, 0, body + NO_TAGS, flexible=True)
            answer.int32()
            check(answer.int16(), "reassignment")

        def elect():
            topics = array([string(topic) + array([int32(partition)])])
            answer = self._ask(43, 1, int8(0) + topics + int32(PATIENCE * 1000))
            answer.int32()
            check(answer.int16(), "election")
            answer.take(4)
            answer.string()
            answer.take(8)
            check(answer.int16(), answer.string(), {ELECTION_NOT_NEEDED})

        retried(reassign)
        retried(elect)
        self._wait(lambda: self.leader(topic, partition) == node, f"node {node} to lead {topic}/{partition}")

    def commit(self, group, topic, partition, offset, metadata=""):
        """Sets what the group committed for a partition, from outside."""
        def commit():
            one = string(topic) + array([int32(partition) + int64(offset) + string(metadata)])
            body = string(group) + int32(-1) + string("") + int64(-1) + array([one])
            answer = ask(self._coordinator(group), 8, 2, body)
            answer.int32()
            answer.string()
            answer.take(8)
            check(answer.int16())

        retried(commit)

    def forget_group(self, group):
        """Deletes its committed offsets; a missing group is no error."""
        def delete():
            answer = ask(self._coordinator(group), 42, 1, array([string(group)]))
            answer.take(8)
            answer.string()
            check(answer.int16(), fine={GROUP_NOT_FOUND})

        retried(delete)

    def forget_offsets(self, group, topic, *partitions):
        """Deletes the offsets that the group committed for these partitions."""
        def delete():
            one = string(topic) + array(map(int32, partitions))
            answer = ask(self._coordinator(group), 47, 0, string(group) + array([one]))
            check(answer.int16())

        retried(delete)

    def allow(self, user, resource, name, *operations):
        """An ACL entry for each operation; `resource` and operations are keys of RESOURCES and OPERATIONS."""
        entries = [int8(RESOURCES[resource]) + string(name) + int8(3) + string(f"User:{user}") + string("*")
                   + int8(OPERATIONS[operation]) + int8(3) for operation in operations]
        answer = self._ask(30, 1, array(entries))
        answer.int32()
        for _ in range(answer.int32()):
            check(answer.int16(), answer.string())
        wanted = {OPERATIONS[operation] for operation in operations}
        self._wait(lambda: all(wanted <= _allowed(address, user, resource, name) for address in self.internal),
                   f"{user} being allowed to {' and '.join(operations)} {resource} {name}")

    def _wait(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not _holds(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {PATIENCE} s for {what}")
            time.sleep(0.02)


def _allowed(address, user, resource, name):
    """The operations that this node has entries of."""
    any_of = int8(1)
    answer = ask(address, 29, 1, int8(RESOURCES[resource]) + string(name) + int8(3) + string(f"User:{user}")
                 + string("*") + any_of + any_of)
    answer.int32()
    check(answer.int16(), answer.string())
    found = set()
    for _ in range(answer.int32()):
        answer.int8(), answer.string(), answer.int8()
        for _ in range(answer.int32()):
            answer.string(), answer.string()
            found.add(answer.int8())
            answer.int8()
    return found


def _holds(condition):
    try:
        return condition()
    except (OSError, Refused):
        return False
