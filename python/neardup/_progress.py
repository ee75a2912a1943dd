"""Progress of long calls: a bar of tqdm where that is there, else a line on standard error."""

import contextlib
import sys

_LONG = 100_000  # texts from which a bar is shown by itself, if standard error is a terminal


def is_shown(progress, total):
    """Whether a call shows progress by itself."""
    return progress is None and total is not None and total >= _LONG and sys.stderr.isatty()


@contextlib.contextmanager
def shown(progress, total):
    """Yields what to call with the number of texts decided so far, or None. `progress`: True, False, None (by itself) or such a
    function; `total`: of texts, or None."""
    progress = progress or is_shown(progress, total)
    if callable(progress) or not progress:
        yield progress or None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        with _line(total) as update:
            yield update
        return
    with tqdm(total=total, unit=" texts") as bar:
        yield lambda done: bar.update(done - bar.n)
        if total is not None:
            bar.update(total - bar.n)


@contextlib.contextmanager
def _line(total):
    def update(done):
        share = f" ({100 * done // total} %)" if total else ""
        print(f"\r{done} texts{share}", end="", file=sys.stderr, flush=True)
    try:
        yield update
    finally:
        print(file=sys.stderr)
