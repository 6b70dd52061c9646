"""The client for asyncio. `croupier.blocking` is generated from it."""

from croupier.aio.calls import Messages, Stream
from croupier.aio.client import Croupier, Games, Matches, Players, Rpc, Seeks, Streams
from croupier.aio.match import Change, Live, Match

__all__ = [
    "Change",
    "Croupier",
    "Games",
    "Live",
    "Match",
    "Matches",
    "Messages",
    "Players",
    "Rpc",
    "Seeks",
    "Stream",
    "Streams",
]
