"""Client for asyncio."""

from __future__ import annotations

import asyncio
import functools

from . import _pieces
from ._client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable
    from typing import Any, Concatenate, ParamSpec, TypeVar
    from ._flags import Flags
    P = ParamSpec("P")
    R = TypeVar("R")


def _asynchronous(method: Callable[Concatenate[Client, P], R]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, R]]:
    @functools.wraps(method)
    async def call(self: AsyncClient, /, *arguments: P.args, **keywords: P.kwargs) -> R:
        return await asyncio.to_thread(method, self._client, *arguments, **keywords)
    return call


class AsyncClient:
    """As Client, for asyncio: each method is a coroutine, which runs the request in a thread; `stream` takes an iterator or an
    asynchronous one and is an asynchronous generator."""

    def __init__(self, url: str, token: str | None = None, **options: Any) -> None:
        self._client = Client(url, token, **options)

    add = _asynchronous(Client.add)
    check = _asynchronous(Client.check)
    similar = _asynchronous(Client.similar)
    explain = _asynchronous(Client.explain)
    groups = _asynchronous(Client.groups)
    delete = _asynchronous(Client.delete)
    stats = _asynchronous(Client.stats)
    close = _asynchronous(Client.close)

    async def stream(self, data: Iterable[Any] | AsyncIterable[Any], *, text: str = "text", id: str = "id", namespace: str = "namespace",
                     size: int = 1000) -> AsyncIterator[Flags]:
        def decide(piece: list[Any]) -> list[Flags]:
            return list(self._client.stream(piece, text=text, id=id, namespace=namespace, size=size))
        async for piece in _apieces(data, size):
            for flags in await asyncio.to_thread(decide, piece):
                yield flags

    async def rule(self) -> str:
        return await asyncio.to_thread(lambda: self._client.rule)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<neardup.AsyncClient {self._client._connection.url}>"


async def _apieces(data: Iterable[Any] | AsyncIterable[Any], size: int) -> AsyncIterator[list[Any]]:
    if not hasattr(data, "__aiter__"):
        for piece, _, _ in _pieces.pieces(data, size=size):
            yield piece
        return
    piece = []
    async for item in data:
        piece.append(item)
        if len(piece) == size:
            yield piece
            piece = []
    if piece:
        yield piece
