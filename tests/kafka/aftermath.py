"""What a service has left in its topics, in each mode and by each guarantee, against what it was given."""

import json
import pathlib

import exactly_once
import traces
from exactly_once import neardup

PASS = ("unique", "too_short", "empty")


def problems(client, service, repeats=False):
    """What is wrong, in words. repeats: messages may be repeated byte for byte. In mode `filter` the
    service has one input and one output partition."""
    inputs = [message for topic in service.keys["kafka.topics"] for message in client.read_committed_all(topic)]
    outputs = client.read_committed_all(service.keys["kafka.output_topic"])
    letters = client.read_committed_all(service.keys["kafka.dead_letter_topic"])
    if repeats:
        outputs, letters = without_repeats(outputs), without_repeats(letters)
    return of_messages(service.keys.get("output.mode", "flags"), inputs, outputs, letters, service.folder)


def without_repeats(messages):
    """The messages without byte-for-byte repeats of earlier ones."""
    seen = set()
    return [one for one in messages
            if (said := (one.key, one.value, tuple(one.headers))) not in seen and not seen.add(said)]


def of_messages(mode, inputs, outputs, letters, folder):
    if mode == "filter":
        flags = reference(inputs, pathlib.Path(folder))
        found = _filter_problems(inputs, outputs, flags)
    else:
        found = _annotate_problems(inputs, outputs) if mode == "annotate" else []
        messages = _annotations(outputs) if mode == "annotate" else outputs
        found += exactly_once.problems(inputs, messages, folder)
        flags = [json.loads(message.value) for message in messages]
        if mode == "flags":
            came = {message.place: message for message in inputs}
            found += traces.problems(came, zip(map(_place, flags), outputs, strict=True))
    return found + _dead_letter_problems(inputs, flags, letters)


def _annotations(outputs):
    """The flags in the headers, each as the message that mode `flags` would have sent."""
    found = []
    for message in outputs:
        value = message.header("neardup-flag")
        name = json.loads(value)["id"]
        found.append(message._replace(key=None if name is None else name.encode(), value=value))
    return found


def _annotate_problems(inputs, outputs):
    came = {message.place: message for message in inputs}
    found = []
    for message in outputs:
        origin = came.get(_place(json.loads(message.header("neardup-flag"))))
        if origin and _as_it_came(origin) != _as_it_came(message):
            found.append(f"{origin.place} was passed on as {_as_it_came(message)}")
    return found


def reference(inputs, folder):
    """The flag records of `neardup scan` for the messages of one partition, with the sources of a service."""
    records = neardup.parse_flags(exactly_once.scanned(inputs, folder))
    for record, message in zip(records, inputs, strict=True):
        record["source"] = dict(zip(("topic", "partition", "offset"), message.place))
    return records


def _filter_problems(inputs, outputs, flags):
    wanted = []
    for message, flag in zip(inputs, flags, strict=True):
        if flag["status"] in PASS:
            wanted.append(_as_it_came(message))
        elif flag["status"] == "deleted":
            wanted.append(_as_it_came(message._replace(key=message.key or flag["id"].encode(), value=None)))
    found = [_as_it_came(message) for message in outputs]
    if found == wanted:
        return []
    at = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), min(len(found), len(wanted)))
    return [f"{len(found)} messages passed, {len(wanted)} wanted; passed message {at} is {found[at:at + 1]}, "
            f"wanted {wanted[at:at + 1]}"]


def _dead_letter_problems(inputs, flags, letters):
    """Each rejected message must have one dead letter, with the message unchanged."""
    rejected = {_place(flag): flag for flag in flags if flag["status"] == "rejected"}
    came = {message.place: message for message in inputs}
    found = []
    for letter in letters:
        place = (letter.header("neardup-topic").decode(), int(letter.header("neardup-partition")),
                 int(letter.header("neardup-offset")))
        flag = rejected.pop(place, None)
        if flag is None:
            found.append(f"{place} has two dead letters, or was not rejected")
        elif place in came and _as_it_came(letter) != _as_it_came(came[place]):
            found.append(f"{place} has another dead letter: {letter}")
        elif int(letter.header("neardup-seq")) != int(flag["seq"]):
            found.append(f"{place} has seq {flag['seq']}, its dead letter {letter.header('neardup-seq')}")
    return found + [f"{place} was rejected and has no dead letter" for place in rejected]


def _place(flag):
    return tuple(flag["source"][name] for name in ("topic", "partition", "offset"))


def _as_it_came(message):
    others = [(name, value) for name, value in message.headers if not name.startswith("neardup-")]
    return message.key, message.value, others, message.timestamp
