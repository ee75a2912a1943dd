"""What callers give as data → columns of the core, in pieces where it is an iterator."""

import itertools
import sys

from ._errors import InputError

PIECE = 16_384  # texts of an iterator that are decided and stored at once


def replaces(errors):
    """Whether ill-formed texts are to be replaced."""
    if errors != "strict" and errors != "replace":
        raise InputError(f"errors={errors!r}: give 'strict' or 'replace'")
    return errors == "replace"


def is_arrow(data):
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def is_pandas(data):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, (pandas.DataFrame, pandas.Series))


def is_iterator(data):
    return type(data) is not list and not is_arrow(data) and not hasattr(data, "__getitem__") and hasattr(data, "__iter__")


def columns(data, ids, namespaces, names):
    """(data, ids, namespaces) as the core takes them. `names`: of the columns of a frame or the keys of dicts: text, id, namespace."""
    if type(data) is list:
        return _of_dicts(data, ids, namespaces, *names) if data and type(data[0]) is dict else (data, ids, namespaces)
    if is_pandas(data):
        return _of_pandas(data, ids, namespaces, *names)
    if isinstance(data, tuple) and data and isinstance(data[0], dict):
        return _of_dicts(data, ids, namespaces, *names)
    if not is_arrow(data) and not isinstance(data, (tuple, str, bytes)) and hasattr(data, "tolist"):
        data = data.tolist()  # an array of NumPy
    return data, ids, namespaces


def _of_pandas(data, ids, namespaces, text, id, namespace):
    if not hasattr(data, "columns"):
        return data.tolist(), ids, namespaces
    if text not in data.columns:
        raise InputError(f"texts: the frame has no column {text!r}")
    if ids is None and id in data.columns:
        ids = data[id].tolist()
    if namespaces is None and namespace in data.columns:
        namespaces = data[namespace].tolist()
    return data[text].tolist(), ids, namespaces


def _of_dicts(rows, ids, namespaces, text, id, namespace):
    def column(key):
        try:
            return [row[key] for row in rows]
        except (KeyError, TypeError):
            at = next(i for i, row in enumerate(rows) if not isinstance(row, dict) or key not in row)
            raise InputError(f"row {at}: not a dict with {key!r}, as row 0 is") from None
    if ids is None and id in rows[0]:
        ids = column(id)
    texts = column(text)
    if namespaces is None and any(namespace in row for row in rows):
        namespaces = [row.get(namespace) or "" for row in rows]
    return texts, ids, namespaces


def pieces(data, ids=None, namespaces=None, size=PIECE):
    """Runs of an iterator, with their ids and namespaces: of a sequence the parts that belong to them, of an iterator what it
    gives next."""
    data = iter(data)
    ids = iter(ids) if ids is not None else None
    namespaces = iter(namespaces) if namespaces is not None else None
    while piece := list(itertools.islice(data, size)):
        yield piece, *(list(itertools.islice(other, len(piece))) if other is not None else None for other in (ids, namespaces))
    for what, other in ("ids", ids), ("namespaces", namespaces):
        if other is not None and next(other, None) is not None:
            raise InputError(f"more {what} than texts")
