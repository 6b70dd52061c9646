"""A record that went back, as a service tells it that the tests make."""

import unittest
from collections.abc import AsyncIterator, Callable

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from croupier import v1
from croupier.aio import Croupier
from croupier.errors import Refusal
from croupier.v1 import entries_pb2_grpc, games_pb2_grpc, matches_pb2_grpc, streams_pb2_grpc


def digest(number: int) -> bytes:
    return bytes([number]) * 32


def told(position: int, number: int) -> v1.WatchEntriesResponse:
    entry = v1.Entry(position=position, digest=digest(number))
    return v1.WatchEntriesResponse(entries=[entry], position=position, digest=entry.digest)


def notice(position: int) -> v1.WatchEntriesResponse:
    return v1.WatchEntriesResponse(
        position=position, digest=digest(position), went_back=v1.RecordWentBack(term=9)
    )


class Entries(entries_pb2_grpc.EntryServiceServicer):
    """Each watch is sent the next of these lists."""

    def __init__(self, watches: list[list[v1.WatchEntriesResponse]]) -> None:
        self.watches = watches
        self.premises: list[tuple[int, bytes]] = []

    async def WatchEntries(
        self, request: v1.WatchEntriesRequest, context: grpc.aio.ServicerContext
    ) -> AsyncIterator[v1.WatchEntriesResponse]:
        self.premises.append((request.after_position, request.after_digest))
        messages = self.watches.pop(0)
        for message in messages:
            yield message
        if self.watches:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "stopping")


class Games(games_pb2_grpc.GameServiceServicer):
    async def GetGame(self, request: v1.GetGameRequest, _: object) -> v1.GetGameResponse:
        return v1.GetGameResponse(game=v1.Game(name=request.name, layout=v1.Layout()))


class Matches(matches_pb2_grpc.MatchServiceServicer):
    """Each view is the next of these tables."""

    def __init__(self, views: list[v1.Table]) -> None:
        self.views = views

    async def GetMatch(self, request: v1.GetMatchRequest, _: object) -> v1.GetMatchResponse:
        return v1.GetMatchResponse(match=v1.Match(name=request.name, game="games/g"))

    async def GetView(self, request: v1.GetViewRequest, _: object) -> v1.GetViewResponse:
        return v1.GetViewResponse(table=self.views.pop(0))


class Streams(streams_pb2_grpc.StreamServiceServicer):
    """A consumer's first message is lost before it is acknowledged."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.cursors: list[str] = []

    async def ConsumeSubscription(
        self, request: v1.ConsumeSubscriptionRequest, _: object
    ) -> AsyncIterator[v1.ConsumeSubscriptionResponse]:
        went_back = v1.RecordWentBack(term=9)
        yield v1.ConsumeSubscriptionResponse(entries=[v1.StreamedEntry()], cursor="lost")
        yield v1.ConsumeSubscriptionResponse(went_back=went_back, cursor="notice")
        yield v1.ConsumeSubscriptionResponse(entries=[v1.StreamedEntry()], cursor="true")

    async def AcknowledgeEntries(
        self, request: v1.AcknowledgeEntriesRequest, context: grpc.aio.ServicerContext
    ) -> v1.AcknowledgeEntriesResponse:
        self.acknowledged.append(request.cursor)
        if request.cursor == "lost":
            info = error_details_pb2.ErrorInfo(reason="RECORD_WENT_BACK", domain="croupier")
            detail = any_pb2.Any()
            detail.Pack(info)
            status = status_pb2.Status(code=15, message="no", details=[detail])
            context.set_trailing_metadata(
                [("grpc-status-details-bin", status.SerializeToString())]
            )
            await context.abort(grpc.StatusCode.DATA_LOSS, "no")
        return v1.AcknowledgeEntriesResponse()

    async def StreamEntries(
        self, request: v1.StreamEntriesRequest, context: grpc.aio.ServicerContext
    ) -> AsyncIterator[v1.StreamEntriesResponse]:
        self.cursors.append(request.cursor)
        if len(self.cursors) == 1:
            went_back = v1.RecordWentBack(term=9)
            yield v1.StreamEntriesResponse(went_back=went_back, cursor="notice")
            await context.abort(grpc.StatusCode.UNAVAILABLE, "stopping")
        yield v1.StreamEntriesResponse(cursor="later")


class WentBack(unittest.IsolatedAsyncioTestCase):
    async def serve(self, add: Callable[[grpc.aio.Server], None]) -> Croupier:
        server = grpc.aio.server()
        add(server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        self.addAsyncCleanup(server.stop, None)
        client = Croupier(f"http://127.0.0.1:{port}")
        self.addAsyncCleanup(client.close)
        return client

    async def serve_match(self, entries: Entries, views: list[v1.Table]) -> Croupier:
        def add(server: grpc.aio.Server) -> None:
            entries_pb2_grpc.add_EntryServiceServicer_to_server(entries, server)
            games_pb2_grpc.add_GameServiceServicer_to_server(Games(), server)
            matches_pb2_grpc.add_MatchServiceServicer_to_server(Matches(views), server)

        return await self.serve(add)

    async def serve_streams(self, streams: Streams) -> Croupier:
        add = streams_pb2_grpc.add_StreamServiceServicer_to_server
        return await self.serve(lambda server: add(streams, server))

    async def test_a_consumer_is_told_what_is_void_and_goes_on(self) -> None:
        streams = Streams()
        client = await self.serve_streams(streams)
        told = []
        async with client.streams.subscription("ledger").consume() as stream:
            while len(told) < 3:
                message = await anext(stream)
                told.append((len(message.entries), message.HasField("went_back")))
        self.assertEqual(told, [(1, False), (0, True), (1, False)])
        self.assertEqual(streams.acknowledged, ["lost", "notice"])

    async def test_a_stream_of_many_matches_resumes_after_the_notice(self) -> None:
        streams = Streams()
        client = await self.serve_streams(streams)
        async with client.streams.entries(cursor="before") as stream:
            told = [(await anext(stream)).cursor for _ in range(2)]
        self.assertEqual((told, streams.cursors), (["notice", "later"], ["before", "notice"]))

    async def test_a_watch_says_which_entries_are_void_and_continues(self) -> None:
        entries = Entries([[told(2, 2), told(3, 3)], [notice(2), told(3, 13)], []])
        client = await self.serve_match(entries, [])
        stream = client.match("m", viewer="spectator").watch(1, digest(1))
        self.assertEqual([(await anext(stream)).position for _ in range(2)], [2, 3])
        with self.assertRaises(Refusal) as caught:
            await anext(stream)
        refusal = caught.exception
        self.assertEqual((refusal.reason, refusal.facts), ("RECORD_WENT_BACK", {"position": "2"}))
        self.assertEqual([entry.digest async for entry in stream], [digest(13)])
        self.assertEqual(entries.premises, [(1, digest(1)), (3, digest(3)), (3, digest(13))])

    async def test_a_live_table_is_read_again_and_goes_on(self) -> None:
        entries = Entries([[notice(2), told(3, 13)], [told(6, 16)]])
        views = [v1.Table(position=at, digest=digest(at), viewer="spectator") for at in (3, 5)]
        client = await self.serve_match(entries, views)
        live = await client.match("m", viewer="spectator").live()
        changes = [change async for change in live]
        self.assertEqual([(it.before.position, it.table.position) for it in changes], [(5, 6)])
        self.assertEqual((live.went_back, live.table.digest), (1, digest(16)))
        self.assertEqual(entries.premises, [(3, digest(3)), (5, digest(5))])
