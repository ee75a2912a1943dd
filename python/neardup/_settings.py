"""Settings as keyword arguments: keys as in docs/configuration.md."""

import json
import warnings


def pairs(settings, prefix=""):
    """{"threshold": 0.8, "lsh": {"recall": 0.999}, "sketch.size": 128} → ["threshold=0.8", "lsh.recall=0.999", …]"""
    found = []
    for key, value in settings.items():
        if isinstance(value, dict):
            found += pairs(value, f"{prefix}{key}.")
        else:
            found.append(f"{prefix}{key}={_text(value)}")
    return found


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return json.dumps(list(value))
    return str(value)


def warn(messages, level=3):
    for message in messages:
        warnings.warn(message, stacklevel=level + 1)
