"""W3C Trace Context: headers that messages bring, and which of them a flag must have (docs/formats/kafka.md)."""

import re

PARENT = rb"[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
VALID_PARENT = re.compile(rb"(?=00)%s|(?!00|ff)%s(-[\t -~]*)?" % (PARENT, PARENT))
VALID_STATE = re.compile(rb"[\t -~]{1,512}")
NAMES = ("traceparent", "tracestate")


def parent(number, version=b"00", rest=b""):
    return b"%s-%032x-%016x-01%s" % (version, 0x4bf92f3577b34da6 + number, 0xf067aa0ba902b7 + number, rest)


def brought(number):
    """Headers of the message of that number, by rotation: none, a valid trace in several forms, invalid ones."""
    good = ("traceparent", parent(number))
    state = ("tracestate", b"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
    return [[], [good], [state, good], [good, ("tracestate", b"x" * 513)], [("tracestate", b"y" * 512), good],
            [("traceparent", parent(number, b"01", b"-more"))], [("traceparent", parent(0)), good, state],
            [state], [("traceparent", parent(number).upper()), state], [good, ("traceparent", None)]][number % 10]


def passed_on(message):
    """The headers that the flag of this message has for its trace."""
    came = dict(message.headers)
    traceparent, tracestate = came.get("traceparent") or b"", came.get("tracestate") or b""
    if len(traceparent) > 128 or not VALID_PARENT.fullmatch(traceparent):
        return []
    state = [("tracestate", tracestate)] if VALID_STATE.fullmatch(tracestate) else []
    return [("traceparent", traceparent), *state]


def problems(came, flags):
    """came: place → message; flags: (place, message of the flag)…"""
    for place, flag in flags:
        found = [header for header in flag.headers if header[0] in NAMES]
        if place in came and found != passed_on(came[place]):
            yield f"the flag of {place} has the trace {found}, its message {came[place].headers}"


def batch_problems(events):
    """What is wrong with how log lines name batches. events: all lines of all runs over one state."""
    lines = [event for event in events if "trace_id" in event]
    ids = of_each_batch(lines, lambda line: line["trace_id"])
    # A batch that a crash has lost is decided again, and may then end at another record.
    seqs = of_each_batch([line for line in lines if line["event"] in ("stored batch sent", "batch delivered")],
                         lambda line: (line["first_seq"], line["next_seq"]))
    found = [f"batch {batch} is named {names}" for named in (ids, seqs) for batch, names in named.items()
             if len(names) > 1]
    different = set().union(*ids.values())
    found += [] if len(different) == len(ids) else [f"{len(different)} trace ids for {len(ids)} batches"]
    found += [f"no trace id: {one}" for one in different if not re.fullmatch("(?!0{32})[0-9a-f]{32}", one)]
    ends = {batch: min(names) for batch, names in seqs.items()}
    return found + [f"batch {batch} ends at {end}, the next begins at {ends[batch + 1][0]}"
                    for batch, (_, end) in ends.items() if batch + 1 in ends and ends[batch + 1][0] != end]


def of_each_batch(lines, name):
    found = {}
    for line in lines:
        found.setdefault(line["batch"], set()).add(name(line))
    return found
