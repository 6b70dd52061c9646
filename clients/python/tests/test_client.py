"""What the client adds to the contract, against the real service."""

import asyncio
import http.server
import json
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable

import grpc

from croupier import v1
from croupier.aio import Croupier, MatchHandle
from croupier.blocking import Croupier as Blocking
from croupier.errors import Refusal, status_refusal
from croupier.games.mountebank.v1 import actions_pb2 as mountebank
from croupier.table.v1.actions_pb2 import Action as TableAction, Say
from tests.service import Service, ServiceTestCase

GAME = "mountebank"
MINUTE = 60
TALK = {"talk": "on"}


class Client(ServiceTestCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.client = self.connect(self.service.key)

    def connect(self, credentials: object = None, **options: object) -> Croupier:
        client = Croupier(self.service.url, credentials=credentials, **options)
        self.addAsyncCleanup(client.close)
        return client

    async def refused(self, call: object) -> Refusal:
        with self.assertRaises(Refusal) as caught:
            await call
        return caught.exception

    async def test_refusals_say_what_is_wrong(self) -> None:
        unknown = await self.refused(self.client.match("00000000-0000-0000-0000-000000000000").get())
        self.assertEqual(unknown.code, grpc.StatusCode.NOT_FOUND)
        self.assertEqual((unknown.domain, unknown.reason), ("croupier", "MATCH_NOT_FOUND"))
        self.assertFalse(unknown.is_by_rules or unknown.is_retryable or unknown.outcome_unknown)

        wrong = await self.refused(self.client.matches.create(GAME, 99, ["ann"]))
        self.assertEqual((wrong.code, wrong.field), (grpc.StatusCode.INVALID_ARGUMENT, "seats"))

        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
        match = self.client.match(created.name)
        waits = created.waiting_for[0]
        legal = await match.at(waits).legal_actions()
        early = await self.refused(match.at(1 - waits).submit(legal.actions[0].action))
        self.assertEqual(early.reason, "NOT_ASKED")
        stale = match.at(waits).submit(legal.actions[0].action, expected_position=99)
        self.assertEqual((await self.refused(stale)).facts, {"position": "1"})

    async def test_rules_refuse_in_words(self) -> None:
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"])
        german = self.connect(self.service.key, language="de")
        match = german.match(created.name, seat=created.waiting_for[0])
        layout = (await german.games.get(GAME)).layout
        row = {piece for it in (await match.view()).places for piece in it.pieces}
        other = next(piece.name for piece in layout.pieces if piece.name not in row)
        action = v1.Action(mountebank=mountebank.Action(take=mountebank.Take(card=other)))
        refusal = await self.refused(match.submit(action))
        self.assertTrue(refusal.is_by_rules, refusal.reason)
        self.assertEqual(refusal.domain, "games/mountebank")
        self.assertTrue(refusal.facts)
        english = await self.refused(self.client.match(created.name, seat=match.seat).submit(action))
        self.assertEqual(english.reason, refusal.reason)
        self.assertNotEqual(str(english), str(refusal))

    async def test_texts_are_in_the_language_asked_for(self) -> None:
        german = self.connect(self.service.key, language="de")
        created = await german.matches.create(GAME, 2, ["ann", "bob"])
        self.assertTrue(created.summary)
        legal = await german.match(created.name, seat=created.waiting_for[0]).legal_actions()
        self.assertTrue(all(it.label and it.help for it in legal.actions))
        async for entry in german.match(created.name).entries():
            self.assertTrue(entry.text)
        silent = self.client.match(created.name)
        self.assertEqual((await silent.get()).summary, "")
        # A call may ask for another language than the client.
        told = [(await german.match(created.name).get(language=it)).summary for it in ("", "en")]
        self.assertEqual([await self.summary(silent, it) for it in ("de", "en")], told)
        self.assertNotEqual(*told)
        request = v1.GetMatchRequest(name=created.name)
        metadata = (("accept-language", "en"),)
        answer = await german.rpc.matches.GetMatch(request, metadata=metadata)
        self.assertEqual(answer.match.summary, told[1])
        titles = [(await self.client.games.get(GAME, language=it)).description for it in ("de", "en")]
        self.assertNotEqual(*titles)
        self.assertTrue((await self.client.games.rules(GAME, language="de")).page)

    async def summary(self, match: MatchHandle, language: str) -> str:
        return (await match.get(language=language)).summary

    async def test_a_request_id_creates_one_match(self) -> None:
        names = {
            (await self.client.matches.create(GAME, 2, ["ann"], request_id=request_id)).name
            for request_id in ("once", "once", "twice", "", "")
        }
        self.assertEqual(len(names), 4)
        reused = await self.refused(self.client.matches.create(GAME, 3, request_id="once"))
        self.assertEqual(reused.reason, "REQUEST_ID_REUSED")

    async def test_a_batch_creates_all_of_its_matches_or_none(self) -> None:
        batch = [
            v1.CreateMatchRequest(game=GAME, seats=2, players=[player], request_id=request_id)
            for player, request_id in (("batch-ann", "round-1"), ("batch-bob", ""))
        ]
        first = await self.client.matches.batch_create(batch)
        self.assertEqual([it.seats[0].player for it in first], ["batch-ann", "batch-bob"])
        again = await self.client.matches.batch_create(batch)
        self.assertEqual(again[0].name, first[0].name)
        self.assertNotEqual(again[1].name, first[1].name)
        batch.append(v1.CreateMatchRequest(game=GAME, seats=1_000, players=["batch-cay"]))
        refusal = await self.refused(self.client.matches.batch_create(batch))
        self.assertEqual(refusal.field, "requests[2].seats")
        self.assertEqual(await self.client.matches.list(player="batch-cay").all(), [])

    async def test_a_deletion_may_be_repeated(self) -> None:
        match = self.client.match((await self.client.matches.create(GAME, 2, ["ann"])).name)
        await match.delete()
        self.assertEqual((await self.refused(match.delete())).code, grpc.StatusCode.NOT_FOUND)
        await match.delete(allow_missing=True)
        feed = self.client.streams.subscription("none-such")
        await feed.delete(allow_missing=True)
        await self.client.seeks.delete(str(uuid.uuid4()), allow_missing=True)

    async def test_a_call_may_expect_a_position(self) -> None:
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
        match = self.client.match(created.name, seat=0)
        for call in (match.resign, match.pause, match.end):
            refusal = await self.refused(call(expected_position=created.position + 5))
            self.assertEqual(refusal.reason, "POSITION_MOVED")
        vote = match.vote(v1.MOTION_PAUSE, expected_position=created.position)
        self.assertEqual((await vote).position, created.position + 1)

    async def test_credentials_of_a_function_are_renewed(self) -> None:
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
        match = self.client.match(created.name, seat=0)
        given = ["croupier_wrong", (await match.create_token(lifetime=MINUTE)).token]
        asked = 0

        async def credentials() -> str:
            nonlocal asked
            asked += 1
            return given.pop(0)

        player = self.connect(credentials).match(created.name)
        self.assertEqual((await player.view()).viewer, "seats/0")
        await player.get()
        self.assertEqual((asked, given), (2, []))
        given.append((await match.create_token(lifetime=1)).token)
        given.append((await match.create_token(lifetime=MINUTE)).token)
        stream = self.connect(credentials).match(created.name).watch()
        await anext(stream)
        later = asyncio.create_task(anext(stream))
        await asyncio.sleep(2.5)
        entry = await match.say("Late?")
        self.assertEqual((await asyncio.wait_for(later, 20)).position, entry.position)
        self.assertEqual((asked, given), (4, []))
        stream.close()
        wrong = await self.refused(self.connect("croupier_wrong").match(created.name).get())
        self.assertEqual(wrong.reason, "CREDENTIALS_INVALID")

    async def test_lists_have_all_pages(self) -> None:
        made = set()
        for n in range(5):
            made.add((await self.client.matches.create(GAME, 2, ["pam"], tags={"n": str(n)})).name)
        few = v1.ListMatchesRequest(page_size=2)
        listed = [it.name async for it in self.client.matches.list(few, player="pam")]
        self.assertEqual((len(listed), set(listed)), (5, made))
        third = [it.tags["n"] async for it in self.client.matches.list(player="pam", tags={"n": "3"})]
        self.assertEqual(third, ["3"])

    async def test_the_lobby_and_seeks(self) -> None:
        open_match = await self.client.matches.create(GAME, 2, lobby=True)
        tokens = [(await self.client.player(name).create_token()).token for name in ("eve", "fay")]
        eve, fay = map(self.connect, tokens)
        self.assertIn(open_match.name, [it.name async for it in eve.matches.list_open(GAME)])
        self.assertEqual((await eve.match(open_match.name).join()).seat, 0)
        await eve.match(open_match.name).leave()
        await eve.match(open_match.name).join()
        live = await eve.match(open_match.name).live()
        self.assertEqual((live.position, live.table.scores), (0, [0, 0]))
        self.assertEqual((await fay.match(open_match.name).join()).seat, 1)
        change = await anext(live)
        self.assertEqual((change.entry.position, live.table.viewer), (1, "seats/0"))
        live.close()

        seek = await eve.seeks.create(GAME, [2])
        self.assertEqual([it.name async for it in eve.seeks.list()], [seek.name])
        await fay.seeks.create(GAME, [2, 3])
        for _ in range(100):
            seek = await eve.seeks.get(seek.name)
            if seek.match:
                break
            await asyncio.sleep(0.1)
        self.assertEqual((await fay.match(seek.match).get()).state, v1.MATCH_STATE_RUNNING)

    async def test_a_subscription_is_consumed_through_a_kill(self) -> None:
        filter = v1.StreamFilter(tags=["fed=yes"])
        feed = self.client.streams.subscription("feed")
        await feed.create(filter)
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], tags={"fed": "yes"}, options=TALK)
        match = self.client.match(created.name)
        told: list[list[int]] = []

        async def consume(last: int) -> None:
            async with feed.consume("one") as stream:
                async for message in stream:
                    told.append([it.entry.position for it in message.entries])
                    if told[-1][-1] == last:
                        return

        consuming = asyncio.create_task(consume(4))
        await match.at(0).say("one")
        self.service.kill()
        await asyncio.to_thread(self.service.start)
        await match.at(0).say("two")
        await match.at(1).say("three")
        await asyncio.wait_for(consuming, 30)
        # At least once each, in order.
        self.assertEqual(sorted({it for message in told for it in message}), [1, 2, 3, 4])
        # The loop was left in its last message, which comes again; what was before it does not.
        left = told[-1]
        told.clear()
        await match.at(1).say("four")
        await consume(5)
        self.assertEqual([it for message in told for it in message], [*left, 5])
        async with feed.consume("one") as stream:
            self.assertEqual([it.entry.position for it in (await anext(stream)).entries], told[-1])
            # Who asks for the next message has processed this one.
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(stream), 2)
        async with feed.consume("one") as stream:
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(stream), 2)
        self.assertIn("subscriptions/feed", [it.name async for it in self.client.streams.subscriptions()])
        self.assertEqual((await feed.get()).name, "subscriptions/feed")
        await feed.delete()
        gone = await self.refused(anext(feed.consume()))
        self.assertEqual(gone.reason, "SUBSCRIPTION_NOT_FOUND")

    async def test_streams_of_many_matches_resume_after_their_cursor(self) -> None:
        player = "gus"
        created = await self.client.matches.create(GAME, 2, [player, "bob"], tags={"s": "1"}, options=TALK)
        match = self.client.match(created.name)
        streams = [
            lambda cursor: self.client.player(player).watch(cursor=cursor),
            lambda cursor: self.client.streams.entries(
                v1.StreamFilter(players=[player]), cursor=cursor
            ),
        ]
        cursors = []
        for stream in streams:
            async with stream("") as first:
                async for message in first:
                    if message.entries:
                        break
            self.assertEqual([it.entry.position for it in message.entries], [1])
            cursors.append(message.cursor)
        await match.at(1).say("again")
        for stream, cursor in zip(streams, cursors):
            async with stream(cursor) as second:
                async for message in second:
                    if message.entries:
                        break
            self.assertEqual([it.entry.position for it in message.entries], [2])
        notices = []
        async with self.client.player(player).watch() as watching:
            async for it in watching:
                notices += [notice.WhichOneof("kind") for notice in it.notices]
                if any(entry.entry.position == 2 for entry in it.entries):
                    break
        self.assertEqual(notices[0], "match_started")

    async def test_who_stops_waiting_misses_nothing(self) -> None:
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
        match = self.client.match(created.name)
        async with await match.live() as live:
            for n in range(3):
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(anext(live), 0.1)
                entry = await match.at(0).say(f"Number {n}")
                change = await anext(live)
                self.assertEqual(change.entry.position, entry.position)

    async def test_a_stream_of_actions(self) -> None:
        created = await self.client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
        say = Say(text="Hello")
        actions = [
            v1.SubmitActionRequest(
                name=created.name, seat=seat, action=v1.Action(table=TableAction(say=say))
            )
            for seat in (0, 1, 5)
        ]

        async def requests() -> AsyncIterator[v1.PlayRequest]:
            for action in actions:
                yield v1.PlayRequest(actions=[action])

        outcomes = {}
        async for answer in self.client.rpc.matches.Play(requests()):
            outcomes |= {it.index: it for it in answer.outcomes}
        self.assertEqual([outcomes[n].entry.position for n in (0, 1)], [2, 3])
        wrong = status_refusal(outcomes[2].error)
        self.assertEqual((wrong.reason, wrong.field), ("INVALID_REQUEST", "seat"))
        refused = self.client.rpc.matches.Play(requests())
        self.client._calls._token = "croupier_wrong"
        with self.assertRaises(Refusal) as caught:
            await anext(refused)
        # What grpcio says if it could not write any more before it read why.
        unwritten = (grpc.StatusCode.INTERNAL, "")
        told = (caught.exception.code, caught.exception.reason)
        self.assertIn(told, [(grpc.StatusCode.UNAUTHENTICATED, "CREDENTIALS_INVALID"), unwritten])

    async def test_history(self) -> None:
        bots = ["heuristic", "heuristic"]
        created = await self.client.matches.create(GAME, 2, bots=bots)
        async for _ in self.client.match(created.name).watch():
            pass
        match = self.client.match(created.name, viewer="house")
        entries = [entry async for entry in match.watch()]
        self.assertEqual([it async for it in match.entries()], entries)
        some = [it.position async for it in match.replay(3, 7, speed=0)]
        self.assertEqual(some, [4, 5, 6, 7])
        self.assertEqual(await match.entry(3), entries[2])
        picture = await match.image(width=300)
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        diff = await match.diff(1, 4)
        self.assertEqual((diff.from_position, diff.to_position), (1, 4))
        receipt = await match.receipt(4)
        self.assertEqual(receipt.digest, entries[3].digest)
        verb = entries[1].verb
        found = self.client.history.search(GAME, verb=verb)
        self.assertIn(entries[1].name, {it.name async for it in found})
        counts = await match.verify()
        self.assertEqual((counts["entries"], counts["proven"]), (len(entries), 1))

    async def test_an_address_that_nobody_has(self) -> None:
        for address in ("ftp://example.com", "http://", "http://example.com/path"):
            with self.assertRaises(ValueError):
                Croupier(address)
        nobody = Croupier("http://127.0.0.1:1", retry_for=0.5)
        gone = await self.refused(nobody.matches.create(GAME, 2))
        self.assertEqual((gone.code, gone.reason), (grpc.StatusCode.UNAVAILABLE, ""))
        self.assertTrue(gone.is_retryable and gone.outcome_unknown)
        await nobody.close()

    def test_the_blocking_client(self) -> None:
        with Blocking(self.service.url, credentials=lambda: self.service.key) as client:
            created = client.matches.create(GAME, 2, ["ann", "bob"], options=TALK)
            match = client.match(created.name)
            named = match.update(display_name="The final", tags={"cup": "spring"})
            self.assertEqual((named.display_name, dict(named.tags)), ("The final", {"cup": "spring"}))
            self.assertEqual(match.update(tags={}).display_name, "The final")
            self.assertFalse(match.at(0).get().tags, "as the seat gets it")
            with match.live() as live:
                seat = created.waiting_for[0]
                action = match.at(seat).legal_actions().actions[0].action
                entry = match.at(seat).submit(action)
                self.assertEqual(live.reach(entry.position), match.view())
            with self.assertRaises(Refusal) as refused:
                client.match("nowhere").get()
            self.assertEqual(refused.exception.domain, "croupier")
            stream = match.watch()
            told = []

            def watch() -> None:
                for entry in stream:
                    told.append(entry.position)

            thread = threading.Thread(target=watch)
            thread.start()
            self.service.kill()
            self.service.start()
            last = match.at(0).say("Still there?").position
            for _ in range(100):
                if told and told[-1] == last:
                    break
                threading.Event().wait(0.05)
            stream.close()
            thread.join(10)
            self.assertFalse(thread.is_alive())
            self.assertEqual(told, [*range(1, last + 1)])
            self.assertEqual([it.name for it in client.games.list()][:1], ["games/among-thieves"])

    def test_webhooks_are_administered(self) -> None:
        received: list[str] = []

        class Endpoint(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                received.append(f"{self.path} {json.loads(body)['type']}")
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        service = Service("--allow-private-webhooks")
        self.addCleanup(service.close)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with Blocking(service.url, credentials=service.key) as client:
            feed = client.streams.subscription("feed")
            created = feed.create(live=True, push=v1.PushTarget(url=f"{url}/first"))
            self.assertTrue(created.secret.startswith("whsec_"))
            self.assertEqual((feed.test_webhook().status, received), (204, ["/first test"]))
            self.assertTrue(feed.rotate_secret(overlap=0).secret.startswith("whsec_"))
            self.assertEqual(feed.move_webhook(f"{url}/second").push.url, f"{url}/second")
            games = v1.StreamFilter(games=[f"games/{GAME}"])
            updated = feed.update(games, url=f"{url}/first")
            self.assertEqual((updated.filter, updated.push.url), (games, f"{url}/first"))
            self.assertEqual(feed.update(url=f"{url}/second").filter, games)
            client.matches.create(GAME, 2, ["ann", "bob"])
            self.wait_for(lambda: received.count("/second entries") >= 1)
            # An attempt is listed soon after it was made.
            self.wait_for(lambda: any(it.entries for it in feed.deliveries()))
            delivery = next(it for it in feed.deliveries() if it.entries)
            self.assertEqual((delivery.status, delivery.first_position), (204, 1))
            feed.redeliver(created.subscription.cursor)
            self.wait_for(lambda: received.count("/second entries") >= 2)

    def wait_for(self, is_done: Callable[[], bool]) -> None:
        until = time.monotonic() + 30
        while not is_done():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
