"""The client for asyncio. `croupier.blocking` is generated from it."""

from croupier.aio.calls import Messages, Pages, Stream
from croupier.aio.client import Croupier, Games, History, Matches, Rpc
from croupier.aio.keeping import Keeper
from croupier.aio.match import Change, Live, MatchHandle
from croupier.aio.players import PlayerHandle, Seeks
from croupier.aio.streams import Consumer, Streams, SubscriptionHandle

__all__ = [
    "Change",
    "Consumer",
    "Croupier",
    "Games",
    "History",
    "Keeper",
    "Live",
    "MatchHandle",
    "Matches",
    "Messages",
    "Pages",
    "PlayerHandle",
    "Rpc",
    "Seeks",
    "Stream",
    "Streams",
    "SubscriptionHandle",
]
