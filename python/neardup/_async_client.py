"""Client for asyncio."""

import asyncio

from . import _pieces
from ._client import Client


class AsyncClient:
    """As Client, for asyncio: each method is a coroutine, which runs the request in a thread; `stream` takes an iterator or an
    asynchronous one and is an asynchronous generator."""

    def __init__(self, url, token=None, **options):
        self._client = Client(url, token, **options)

    async def stream(self, data, *, text="text", id="id", namespace="namespace", size=1000):
        async for piece in _apieces(data, size):
            for flags in await asyncio.to_thread(lambda: list(self._client.stream(piece, text=text, id=id, namespace=namespace, size=size))):
                yield flags

    async def rule(self):
        return await asyncio.to_thread(lambda: self._client.rule)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    def __repr__(self):
        return f"<neardup.AsyncClient {self._client._connection.url}>"


def _asynchronous(name):
    method = getattr(Client, name)

    async def call(self, *arguments, **keywords):
        return await asyncio.to_thread(method, self._client, *arguments, **keywords)
    call.__name__, call.__doc__ = name, method.__doc__
    return call


for _name in ("add", "check", "similar", "explain", "groups", "delete", "stats", "close"):
    setattr(AsyncClient, _name, _asynchronous(_name))


async def _apieces(data, size):
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
