"""An older copy of a state, or none at all, catches up with what was delivered: the order is read back from Kafka, the
same flags follow, and nothing is sent twice."""

import json
import shutil

import needs

needs.broker()
import fault_case  # noqa: E402
from client import Record  # noqa: E402
from state_case import PIECE, StateFaults  # noqa: E402


class Restoring(StateFaults):
    def lose(self, service):
        shutil.rmtree(self.state(service))

    def begun_in_parts(self, *topics, **keys):
        """A service that has flagged three feeds, and a copy of its state after the first."""
        service = self.begun(*topics, **{"batch__documents": 30, **keys})
        saved = self.save(service)
        for _ in range(2):
            self.feed_more(service)
            self.run_to_the_end(service)
        return service, saved

    def older(self, *topics, **keys):
        """As begun_in_parts, with the copy in place of its state."""
        service, saved = self.begun_in_parts(*topics, **keys)
        self.restore(service, saved)
        return service

    def without_state(self, *topics, **keys):
        service = self.begun(*topics, **{"batch__documents": 30, **keys})
        self.lose(service)
        return service

    def check_catches_up(self, service):
        """Whatever was delivered is decided again and not sent, also after it is killed meanwhile; then it goes on."""
        self.check_sends_nothing(service)
        self.feed_more(service)
        self.go_on(service)
        self.assertEqual(self.replays(service), [False])

    def check_sends_nothing(self, service):
        before = self.sent(service)
        for place in ("before_store", "after_store"):
            self.kill_at(service, place, 2)
            self.assertEqual(self.replays(service), [True])
        service.start()
        service.wait_until(lambda: b'neardup_service_state{state="serving"} 1' in service.get("/metrics")[1], "serving")
        self.assertEqual(self.replays(service), [True])
        self.assertEqual(service.stop(), 0)
        self.assertEqual(self.sent(service), before)

    def copy_output(self, service, edit):
        """The service goes on with another output topic, which holds what `edit` makes of the list of messages."""
        topic = self.topic(2, "edited")
        messages = self.direct.read_committed_all(service.keys["kafka.output_topic"])
        self.fill(topic, [Record(m.value, m.key, m.headers, m.timestamp, m.partition) for m in edit(messages)])
        service.keys["kafka.output_topic"] = topic


def own_documents(name, count, **more):
    """Documents that have nothing in common with each other; every name gives the same texts."""
    texts = [" ".join(f"w{i}x{j}" for j in range(50)) for i in range(count)]
    return [Record(json.dumps({"id": f"{name} {i}", "text": text, **more}).encode(), partition=i % 3)
            for i, text in enumerate(texts)]


def seq_of(message):
    return json.loads(message.value)["seq"]


class Flags(Restoring):
    def test_an_older_copy_with_one_partition(self):
        self.check_catches_up(self.older(self.topic()))

    def test_an_older_copy_with_two_partitions(self):
        self.check_catches_up(self.older(self.topic(2)))

    def test_an_older_copy_with_sixteen_partitions(self):
        self.check_catches_up(self.older(self.topic(16)))

    def test_an_older_copy_with_two_topics(self):
        self.check_catches_up(self.older(self.topic(2, "one"), self.topic(3, "two")))

    def test_an_older_copy_in_batches_of_another_size(self):
        service = self.older(self.topic(3))
        service.keys["batch.documents"] = 17
        self.check_catches_up(service)

    def test_output_fields_may_come_and_go(self):
        """A stored batch is delivered with its urls and lengths, and a replay compares flags with and without them."""
        service = self.begun(self.topic(3), batch__documents=10)
        topic = service.keys["kafka.topics"][0]
        saved = self.save(service)
        service.keys["output.fields"] = ["url", "text_bytes"]
        self.fill(topic, own_documents("own", 10, url="https://example.org/"))
        self.kill_at(service, "after_store", 1)
        service.keys["output.fields"] = []
        self.fill(topic, own_documents("later", 30, url="https://example.org/"))
        self.run_to_the_end(service)
        flags = self.flag_records(service)
        self.assertEqual({flag["id"].split()[0]: flag.get("url") for flag in flags[PIECE:]},
                         {"own": "https://example.org/", "later": None})
        self.assertEqual({flag["id"].split()[0]: "text_bytes" in flag for flag in flags[PIECE:]},
                         {"own": True, "later": False})
        self.restore(service, saved)
        self.check_sends_nothing(service)

    def test_a_lost_state_with_one_partition(self):
        self.check_catches_up(self.without_state(self.topic()))

    def test_a_lost_state_with_two_partitions(self):
        self.check_catches_up(self.without_state(self.topic(2)))

    def test_a_lost_state_with_sixteen_partitions(self):
        self.check_catches_up(self.without_state(self.topic(16)))

    def test_a_state_lost_before_its_first_record(self):
        service = self.logged(self.topic(2))
        service.start().wait_ready()
        self.assertEqual(service.stop(), 0)
        self.lose(service)
        self.feed_more(service)
        self.go_on(service)


class OrderTopic(Restoring):
    """The modes whose output does not show the order."""

    def with_order(self, begin, mode, partitions):
        return begin(self.topic(partitions), output__mode=mode, kafka__order_topic=self.topic(2, "order"))

    def check_mode(self, begin, mode, partitions):
        service = self.with_order(begin, mode, partitions)
        if mode == "annotate":
            self.check_catches_up(service)
        else:  # the checker knows what passes the filter of one partition only
            self.check_sends_nothing(service)

    def test_an_older_copy_annotate_with_one_partition(self):
        self.check_mode(self.older, "annotate", 1)

    def test_an_older_copy_annotate_with_two_partitions(self):
        self.check_mode(self.older, "annotate", 2)

    def test_an_older_copy_annotate_with_sixteen_partitions(self):
        self.check_mode(self.older, "annotate", 16)

    def test_an_older_copy_filter_with_two_partitions(self):
        self.check_mode(self.older, "filter", 2)

    def test_an_older_copy_flags_with_two_partitions(self):
        self.check_mode(self.older, "flags", 2)

    def test_a_lost_state_annotate_with_one_partition(self):
        self.check_mode(self.without_state, "annotate", 1)

    def test_a_lost_state_annotate_with_two_partitions(self):
        self.check_mode(self.without_state, "annotate", 2)

    def test_a_lost_state_filter_with_sixteen_partitions(self):
        self.check_mode(self.without_state, "filter", 16)

    def test_what_comes_next_is_decided_as_if_nothing_had_happened(self):
        service = self.with_order(self.begun, "filter", 3)
        service.keys["batch.documents"] = 15  # so many batches that it can be killed twice meanwhile
        saved = self.save(service)
        topic = service.keys["kafka.topics"][0]
        self.fill(topic, own_documents("own", 90))
        self.run_to_the_end(service)
        self.restore(service, saved)
        self.check_sends_nothing(service)
        service.keys["output.mode"] = "annotate"  # from here on the flags can be seen
        self.fill(topic, own_documents("copy of", 90))
        self.run_to_the_end(service)
        flags = [json.loads(said) for m in self.direct.read_committed_all(service.keys["kafka.output_topic"])
                 if (said := m.header("neardup-flag"))]
        self.assertEqual(sorted(flag["seq"] for flag in flags), list(range(PIECE + 91, PIECE + 181)))
        for flag in flags:
            self.assertEqual((flag["status"], flag["duplicate_of"]),
                             ("exact_duplicate", flag["id"].replace("copy of", "own")))

    def test_without_it_several_partitions_are_refused(self):
        service, saved = self.begun_in_parts(self.topic(2), output__mode="annotate")
        newest = self.state(service).rename(self.folder / "newest")
        shutil.copytree(saved, self.state(service))
        self.refused(service, 75, f"is at seq {PIECE}", f"{3 * PIECE} records of 2 partitions",
                     "kafka.order_topic is not set")
        self.lose(service)
        self.refused(service, 75, "the state is empty", "kafka.order_topic is not set")
        shutil.copytree(newest, self.state(service), dirs_exist_ok=True)
        self.feed_more(service)
        self.go_on(service)

    def test_without_it_one_partition_is_rebuilt(self):
        self.check_catches_up(self.without_state(output__mode="filter"))

    def test_without_it_one_partition_is_not_rebuilt_when_its_beginning_is_gone(self):
        service = self.without_state(self.topic(), output__mode="filter")
        self.cluster.delete_records(service.keys["kafka.topics"][0], 0, 10)
        self.refused(service, 75, f"{PIECE} records of ", f"of which {PIECE - 10} at most", "begins at offset 10")

    def test_one_that_begins_too_late_is_refused(self):
        service = self.with_order(self.older, "annotate", 2)
        order = service.keys["kafka.order_topic"]
        for partition, end in self.cluster.end_offsets(order).items():
            self.cluster.delete_records(order, partition, end // 2)
        self.refused(service, 75, f"the state is at seq {PIECE}", f"up to seq {3 * PIECE}", f"seq {PIECE + 1} is needed")


class Refused(Restoring):
    """Before anything is sent, with both numbers; with the right output it goes on."""

    def edited(self, edit):
        service = self.older(self.topic(2))
        output = service.keys["kafka.output_topic"]
        self.copy_output(service, edit)
        return service, output

    def check_refused(self, edit, *words):
        service, output = self.edited(edit)
        self.refused(service, 75, *words)
        service.keys["kafka.output_topic"] = output
        self.check_catches_up(service)

    def test_an_output_that_begins_too_late(self):
        late = PIECE + 41
        self.check_refused(lambda flags: [flag for flag in flags if seq_of(flag) >= late],
                           f"the state is at seq {PIECE}", f"begins with seq {late}, but seq {PIECE + 1} is needed")

    def test_an_output_that_ends_too_early(self):
        self.check_refused(lambda flags: [flag for flag in flags if seq_of(flag) < 2 * PIECE],
                           f"up to seq {3 * PIECE}", f"ends with seq {2 * PIECE - 1}")

    def test_an_output_with_a_gap(self):
        gap = PIECE + 200
        self.check_refused(lambda flags: [flag for flag in flags if not gap <= seq_of(flag) < gap + 7],
                           f"has seq {gap - 1} and next seq {gap + 7}")

    def test_flags_of_another_rule(self):
        def other_rule(flag):
            record = json.loads(flag.value)
            value = flag.value.replace(record["rule"].encode(), b"0123456789abcdef")
            return flag._replace(value=value) if record["seq"] > PIECE + 99 else flag

        self.check_refused(lambda flags: [other_rule(flag) for flag in flags], f"seq {PIECE + 100}",
                           "under rule 0123456789abcdef, the state has rule ")

    def test_flags_of_another_state(self):
        def other_status(flag):
            value = flag.value.replace(b'"status":"unique"', b'"status":"empty"')
            return flag._replace(value=value) if seq_of(flag) > PIECE + 99 else flag

        self.check_refused(lambda flags: [other_status(flag) for flag in flags],
                           "does not lead to the flags that were delivered", '"status":"empty"', '"status":"unique"')

    def test_flags_of_two_states(self):
        def again(flag):
            return flag._replace(value=flag.value.replace(b'"threshold":0.8', b'"threshold":0.9'))

        def edit(flags):
            first = next(flag for flag in flags if seq_of(flag) == PIECE + 5)
            at = next(i for i, flag in enumerate(flags) if flag.partition == first.partition and seq_of(flag) > PIECE + 99)
            return [*flags[:at], again(first), *flags[at:]]

        self.check_refused(edit, f"has seq {PIECE + 5} a second time")

    def test_flags_that_name_other_records(self):
        def moved(flag):
            record = json.loads(flag.value)
            place = b'"offset":%d}' % record["source"]["offset"]
            other = b'"offset":%d}' % (record["source"]["offset"] + 1)
            return flag._replace(value=flag.value.replace(place, other)) if record["seq"] == PIECE + 9 else flag

        self.check_refused(lambda flags: [moved(flag) for flag in flags], "was not flagged: the delivered flags continue at")

    def test_an_input_whose_records_are_gone(self):
        service = self.older(self.topic(2))
        topic = service.keys["kafka.topics"][0]
        self.cluster.delete_records(topic, 0, PIECE // 2 + 10)
        self.refused(service, 75, f"10 records of {topic}[0] were deleted before they were read again",
                     f"offset {PIECE // 2},", f"is {PIECE // 2 + 10}")

    def test_an_offset_that_is_gone(self):
        service = self.older(self.topic(2))
        topic = service.keys["kafka.topics"][0]
        self.cluster.forget_offsets(service.keys["kafka.group_id"], topic, 1)
        self.refused(service, 75, f"the offset of {topic}[1] is gone")


if __name__ == "__main__":
    fault_case.main()
