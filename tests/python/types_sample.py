"""What a type checker sees of the package, in its strictest mode (types_test.py); nothing of this runs."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, assert_type

import neardup
import neardup.datasketch


def index(path: str, texts: list[str]) -> None:
    with neardup.Deduplicator(path, threshold=0.7, lsh={"recall": 0.999}) as index:
        flags = index.add(texts, ["a", "b"], progress=print)
        assert_type(flags, neardup.Flags)
        assert_type(flags.kept, list[bool])
        assert_type(flags.duplicate_of, list[str | None])
        assert_type(flags.similarity, list[float | None])
        assert_type(flags[0], dict[str, Any])
        assert_type(flags[:2], list[dict[str, Any]])
        assert_type(list(flags), list[dict[str, Any]])
        assert_type(flags.counts, dict[str, int])
        assert_type(flags.to_jsonl(), bytes)
        assert_type(index.check(iter(texts)).status, list[str])
        assert_type(index.similar("a", k=3)[0], dict[str, Any])
        assert_type(str(index.explain("a", {"text": "b"})), str)
        assert_type(index.groups(top=3), list[dict[str, Any]])
        assert_type(index.delete("a"), dict[str, Any])
        assert_type(index.rule, str)
    assert_type(neardup.sketch(texts).estimate(0, 1), float | None)
    neardup.dedup(texts, path=path, progress=True)


def service(texts: Iterator[str]) -> None:
    try:
        with neardup.Client("http://host:8080", "token", retries=3, timeout=10) as client:
            for flags in client.stream(texts, size=100):
                assert_type(flags, neardup.Flags)
            assert_type(client.stats(), dict[str, Any])
    except neardup.ServiceError as error:
        assert_type(error.status, int | None)


async def services(texts: AsyncIterator[str]) -> None:
    async with neardup.AsyncClient("http://host:8080") as client:
        assert_type(await client.add(["a"], errors="replace"), neardup.Flags)
        assert_type(await client.similar(id="a"), neardup.Hits)
        async for flags in client.stream(texts):
            assert_type(flags.seq, list[int])


def datasketch() -> None:
    with neardup.datasketch.MinHashLSH(threshold=0.6) as lsh:
        lsh.insert("a", ["some", "tokens"])
        with lsh.insertion_session() as session:
            session.insert("b", "a text")
        assert_type(lsh.query("a text"), list[str])


async def mistakes(client: neardup.AsyncClient) -> None:
    neardup.Deduplicator(3)  # type: ignore[arg-type]
    neardup.Client()  # type: ignore[call-arg]
    await client.add()  # type: ignore[call-arg]
    neardup.flags  # type: ignore[attr-defined]
