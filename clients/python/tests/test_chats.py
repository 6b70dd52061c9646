"""The examples that play in chats: real servers of IRC and Matrix, and Discord's formats."""

import asyncio
import email
import email.policy
import http.server
import importlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier import v1
from tests.programs import EXAMPLES, ProgramTestCase
from tests.service import REPOSITORY, free_port

DEALS = {"Ask", "Offer", "Pay", "Withdraw"}
NGIRCD = shutil.which("ngircd", path=f"{os.environ['PATH']}:/usr/sbin")
SYNAPSE = REPOSITORY / ".tools/synapse/bin/python"
# What hosts say of their own, in rooms.
OWN_WORDS = ("join", "players):", "We go on.", "We begin.", "a match is being played", "Talk on!")
WAIT = 300


class Chats(ProgramTestCase):
    @unittest.skipUnless(NGIRCD, "ngircd is missing: .ci/install ngircd")
    def test_a_match_in_an_irc_channel(self) -> None:
        port = free_port()
        configuration = self.folder / "ngircd.conf"
        configuration.write_text(
            "[Global]\nName = irc.test.example\nInfo = test\n"
            f"Listen = 127.0.0.1\nPorts = {port}\n"
            "[Limits]\nMaxConnectionsIP = 0\nMaxPenaltyTime = 0\n"
            "[Options]\nDNS = no\nIdent = no\nPAM = no\n"
        )
        self.folder.chmod(0o755)
        assert NGIRCD
        server = subprocess.Popen(
            [NGIRCD, "--nodaemon", "--config", str(configuration)], stdout=subprocess.DEVNULL
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        game = self.client.games.get("among-thieves")
        nicks = ["Ann", "bob", "cid", "dan", "eve", "fay"][: game.seats_min]

        def host() -> subprocess.Popen[str]:
            words = ["among-thieves", "--server", f"127.0.0.1:{port}", "--channel", "#heist"]
            return self.start("chats/irc.py", *words, "--pace", "0", "--option", "talk=on")

        channel, told = asyncio.run(evening(port, nicks, host))
        (match,) = self.client.matches.list(tags={"irc": "#heist"})
        self.assertEqual((match.winners == [], match.abandoned), (False, False))
        self.assertEqual([seat.display_name for seat in match.seats], nicks)

        self.check_room(match, channel)
        self.assertGreater(len(channel), 20)
        for seat, nick in enumerate(nicks):
            self.check_whispers(match, seat, told[nick])

    def test_who_takes_the_nick_that_a_player_left_is_somebody_else(self) -> None:
        sys.path.append(str(EXAMPLES / "chats"))
        self.addCleanup(sys.path.remove, str(EXAMPLES / "chats"))
        irc = importlib.import_module("irc").Irc(None, None, "#heist", 0)
        irc.nicks["ann"] = "Ann"
        irc.rename("ann", "Annie")
        self.assertEqual((irc.player_of("annie"), irc.nick_of("ann")), ("ann", "Annie"))
        self.assertNotEqual(irc.player_of("Ann"), "ann")
        # Who left and comes back has the nick again that the server keeps for its owner.
        irc.rename("ann", "")
        self.assertEqual(irc.player_of("Ann"), "ann")

    def test_a_match_in_a_room_of_matrix(self) -> None:
        if not SYNAPSE.exists():
            # Quiet runs do not say why a test was left out.
            why = "left out: a match in a room of Matrix, without Synapse (make chats)"
            print(why, file=sys.stderr)
            self.skipTest("Synapse is missing: .ci/install synapse")
        matrix = Synapse(self.folder)
        self.addCleanup(matrix.close)
        host, ann, bob, eve = (matrix.register(it) for it in ("croupier", "Ann", "bob", "eve"))
        room = ann.call("POST", "createRoom", {"preset": "public_chat", "room_alias_name": "heist"})
        eve.call("POST", f"join/{room['room_id']}", {})
        bob.call("POST", f"join/{room['room_id']}", {})
        for it in (ann, bob, eve):
            it.room, it.host = room["room_id"], host.user

        def begin() -> subprocess.Popen[str]:
            words = ["mountebank", "--server", matrix.url, "--room", "#heist:chat.example"]
            return self.start("chats/matrix.py", *words, MATRIX_TOKEN=host.token)

        hosting = begin()
        eve.until(lambda: "nobody. !join or !start" in eve.heard())
        for it in (ann, bob):
            it.say(it.room, "!join")
            it.until(lambda: it.direct is not None and f"{it.name}. !join" in it.heard())
        ann.say(ann.room, "!start")
        ann.until(lambda: bool(ann.choices) or bool(bob.look() or bob.choices))
        eve.say(eve.room, "!table")
        eve.say(eve.room, "1")
        # Nobody can be brought in where the host whispers.
        with self.assertRaises(urllib.error.HTTPError) as refused:
            bob.call("POST", f"rooms/{bob.direct}/invite", {"user_id": eve.user})
        self.assertEqual(refused.exception.code, 403)
        refused.exception.close()
        self.play(eve, [ann, bob], until=lambda: len(eve.read[eve.room]) > 12)
        hosting.kill()
        hosting.wait()
        begin()
        eve.until(lambda: "We go on." in eve.heard())
        going_on = len(eve.read[eve.room])
        self.play(eve, [ann, bob], until=lambda: len(eve.read[eve.room]) > going_on + 8)
        ann.say(ann.direct, "resign")
        end = "nobody. !join or !start"
        self.play(eve, [bob], until=lambda: end in eve.heard().partition("We go on.")[2])

        (match,) = self.client.matches.list(tags={"matrix": room["room_id"]})
        self.assertEqual((match.winners == [], match.abandoned), (False, False))
        self.assertEqual([it.player for it in match.seats], [ann.user, bob.user])
        self.check_room(match, eve.heard().splitlines())
        self.assertIn("m.mentions", eve.keys)
        # A host that starts again does not answer what an earlier one has answered.
        self.assertNotIn("a match is being played", eve.heard())
        public = self.pictures(match, "spectator")
        self.assertTrue(eve.pictures[eve.room])
        self.assertLessEqual(set(eve.pictures[eve.room]), public)
        for seat, it in enumerate((ann, bob)):
            it.look()
            assert it.direct
            own = self.pictures(match, f"seats/{seat}")
            self.assertTrue(it.pictures[it.direct])
            self.assertLessEqual(set(it.pictures[it.direct]), own)
            self.check_whispers(match, seat, it.heard(it.direct).splitlines())
            members = host.call("GET", f"rooms/{it.direct}/joined_members")["joined"]
            self.assertEqual(set(members), {host.user, it.user})

    def test_a_match_in_a_channel_of_discord(self) -> None:
        discord = Discord()
        self.addCleanup(discord.close)
        ann, bob = Member(discord, "801", "Ann *the* Fox"), Member(discord, "802", "bob")
        eve = Member(discord, "803", "eve")

        def begin() -> subprocess.Popen[str]:
            words = ["mountebank", "--channel", CHANNEL, "--port", str(discord.port)]
            words += ["--api", discord.url, "--option", "talk=on"]
            return self.start("chats/discord.py", *words, DISCORD_TOKEN="test-token")

        hosting = begin()
        discord.until(lambda: "nobody. /match join" in discord.heard())
        self.assertEqual(ann.send(ann.interaction(1, {})), {"type": 1})
        self.forge(discord, eve)
        self.assertIn("do not play", eve.command("hand"))
        ann.command("join")
        bob.command("join")
        eve.command("join")
        eve.command("leave")
        discord.until(lambda: "Ann *the* Fox, bob. /match join" in discord.heard())
        ann.command("start")
        discord.until(lambda: any(it["components"] for it in discord.messages))
        # Whoever presses a button sees the own hand: those who have none, nothing.
        (notice, *_) = [it for it in discord.messages if it["components"]]
        self.assertRegex(notice["content"], "^<@80[12]> ")
        self.assertIn("do not play", eve.press(notice, "hand"))
        self.check_pictures(discord, notice, ann, bob)
        bob.command("say", {"type": 3, "name": "text", "value": "@everyone ` *look*"})
        self.play_discord(
            discord,
            [ann, bob],
            lambda: len(discord.messages) > 15 and bool(ann.choices() or bob.choices()),
        )
        stale = next(it for it in (ann, bob) if it.choices())
        hosting.kill()
        hosting.wait()
        begin()
        discord.until(lambda: "We go on." in discord.heard())
        self.assertIn("The match went on", stale.choose())
        going_on = len(discord.messages)
        self.play_discord(discord, [ann, bob], lambda: len(discord.messages) > going_on + 8)
        ann.command("resign")
        end = "nobody. /match join"
        discord.until(lambda: end in discord.heard().partition("We go on.")[2])
        (match,) = self.client.matches.list(tags={"discord": CHANNEL})
        self.assertEqual((match.winners == [], match.abandoned), (False, False))
        self.assertEqual([it.player for it in match.seats], ["801", "802"])
        self.check_room(match, discord.heard().splitlines())
        for seat, it in enumerate((ann, bob)):
            self.check_whispers(match, seat, it.heard().splitlines())
        self.assertEqual(discord.faults, [])

    def check_pictures(
        self, discord: "Discord", notice: dict[str, Any], ann: "Member", bob: "Member"
    ) -> None:
        """The channel is shown what a spectator sees, and a player what the own seat does."""
        (match,) = self.client.matches.list(tags={"discord": CHANNEL})
        public = self.client.match(match.name, viewer="spectator").image(width=600)
        self.assertEqual(notice["picture"], public)
        self.assertIsNone(discord.messages[0]["picture"])
        for seat, it in enumerate((ann, bob)):
            it.command("hand")
            own = self.client.match(match.name, viewer=f"seats/{seat}").image(width=600)
            self.assertNotEqual(own, public)
            self.assertEqual(it.messages[-1]["picture"], own)

    def forge(self, discord: "Discord", eve: "Member") -> None:
        """Nothing is taken but what Discord has signed, lately and once."""
        join = eve.interaction(2, {"name": "match", "options": [{"type": 1, "name": "join"}]})
        discord.asked[join["token"]], discord.private[join["token"]] = eve, False
        body = json.dumps(join).encode()
        now = str(int(time.time()))
        good = discord.sign(now, body)
        flipped = ("1" if good[0] == "0" else "0") + good[1:]
        refused = [(good, now, body + b" "), (flipped, now, body), (good, str(int(now) + 1), body)]
        refused += [("", now, body), ("zz" * 64, now, body), (good, "", body)]
        for late in (-1000, 1000):
            then = str(int(now) + late)
            refused.append((discord.sign(then, body), then, body))
        for signature, timestamp, data in refused:
            self.assertEqual(discord.deliver(signature, timestamp, data)[0], 401)
        self.assertEqual(discord.deliver(good, now, body), (200, {"type": 5}))
        self.assertEqual(discord.deliver(good, now, body)[0], 401)
        elsewhere = eve.interaction(2, join["data"]) | {"channel_id": "999"}
        answer = eve.send(elsewhere)
        self.assertEqual((answer["type"], answer["data"]["flags"]), (4, 64))
        eve.command("leave")

    def test_long_tables_and_lists_keep_to_the_limits_of_discord(self) -> None:
        discord = Discord()
        self.addCleanup(discord.close)
        ann = Member(discord, "801", "Ann")
        words = ["rigs", "--channel", CHANNEL, "--port", str(discord.port), "--api", discord.url]
        self.start("chats/discord.py", *words, DISCORD_TOKEN="test-token")
        discord.until(lambda: "nobody. /match join" in discord.heard())
        ann.command("join")
        for _ in range(3):
            ann.command("bot", {"type": 3, "name": "level", "value": "random"})
        ann.command("start")
        acted = 0
        while acted < 12:
            ann.command("hand")
            # Down to an action, through whatever steps there are.
            while ann.choices() and not ann.back():
                acted += 1
                ann.choose()
            while ann.back():
                ann.choose()
        self.assertEqual(discord.faults, [])
        self.assertTrue(discord.kinds >= {1, 2, 3})
        # Whose seat was given to somebody else is told nothing more.
        (match,) = self.client.matches.list(tags={"discord": CHANNEL}, game="rigs")
        self.client.match(match.name, seat=0).replace_seat("carol", absent=True)
        discord.until(lambda: "do not play" in ann.command("hand"))
        state = self.client.match(match.name).get().state
        self.assertEqual(state, v1.MATCH_STATE_RUNNING)

    def play_discord(
        self, discord: "Discord", members: "list[Member]", until: Callable[[], bool]
    ) -> None:
        def done() -> bool:
            for it in members:
                it.command("hand")
                while it.choices() and not until():
                    it.choose()
            return until()

        discord.until(done)

    def play(
        self, watching: "Person", players: "list[Person]", until: Callable[[], bool]
    ) -> None:
        """Lets players choose at random, whenever they are offered something."""

        def done() -> bool:
            for it in players:
                it.look()
                if it.choices and it.direct:
                    chosen, it.choices = it.chance.choice(it.choices), []
                    it.say(it.direct, chosen)
            return until()

        watching.until(done)

    # === What may be told to whom ===

    def pictures(self, match: v1.Match, viewer: str) -> set[bytes]:
        """All that a viewer could be shown of a match."""
        seen = self.client.match(match.name, viewer=viewer)
        positions = range(1, self.client.match(match.name).get().position + 1)
        return {seen.image(position=it, width=600) for it in positions}

    def texts(self, match: v1.Match, viewer: str) -> str:
        """All that a viewer could read in a match, without spaces."""
        seen = self.client.match(match.name, viewer=viewer)
        told = [match.summary]
        for entry in seen.entries():
            told += [entry.text, *(it.text for it in entry.prompts)]
            told.append(seen.view(entry.position).text)
        return bare("".join(told))

    def check_room(self, match: v1.Match, lines: list[str]) -> None:
        """The room was told what a spectator may know, and nothing else: no hand above all."""
        public = self.texts(match, "spectator")
        for line in lines:
            if not any(it in line for it in OWN_WORDS):
                self.assertIn(bare(line), public)
        for seat, hand in self.hands(match):
            for line in lines:
                self.assertNotIn(hand, bare(line), f"the hand of seat {seat} was told to all")

    def hands(self, match: v1.Match) -> Iterator[tuple[int, str]]:
        """What each seat had in its hand at each position, in the words of its own table."""
        for seat in range(len(match.seats)):
            seen = self.client.match(match.name, seat=seat)
            for position in range(1, match.position + 1):
                own = seen.view(position).text.partition("\nYou")[2].partition("\n\n")[0]
                for hand in re.findall(r"(?m)^ *Hand  +(.*, .*)$", own):
                    yield seat, bare(f"Hand {hand}")

    def check_whispers(self, match: v1.Match, seat: int, lines: list[str]) -> None:
        """A player was told what only that player may know."""
        public, secret = self.texts(match, "spectator"), self.texts(match, f"seats/{seat}")
        private = [bare(line) for line in lines if bare(line) in secret]
        self.assertTrue([line for line in private if line not in public])


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


# === Matrix ===


class Synapse:
    """A homeserver of one's own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        often = {"per_second": 1000, "burst_count": 1000}
        settings = {
            "server_name": "chat.example",
            "report_stats": False,
            "listeners": [
                {
                    "port": self.port,
                    "bind_addresses": ["127.0.0.1"],
                    "type": "http",
                    "resources": [{"names": ["client"]}],
                }
            ],
            "database": {"name": "sqlite3", "args": {"database": str(folder / "synapse.db")}},
            "media_store_path": str(folder / "media"),
            "signing_key_path": str(folder / "signing.key"),
            "pid_file": str(folder / "pid"),
            "macaroon_secret_key": "not secret",
            "form_secret": "not secret",
            "trusted_key_servers": [],
            "enable_registration": True,
            "enable_registration_without_verification": True,
            "bcrypt_rounds": 4,
            "rc_message": often,
            "rc_registration": often,
            "rc_joins": {"local": often, "remote": often},
            "rc_invites": {"per_room": often, "per_user": often, "per_issuer": often},
            "rc_room_creation": often,
        }
        (folder / "homeserver.yaml").write_text(json.dumps(settings))
        program = [str(SYNAPSE), "-m", "synapse.app.homeserver", "--config-path", "homeserver.yaml"]
        quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*program, "--generate-keys"], check=True, **quiet)
        self.process = subprocess.Popen(program, **quiet)
        end = time.monotonic() + WAIT
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/_matrix/client/versions", timeout=10).close()
                return
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("Synapse does not start") from error
                time.sleep(0.05)

    def register(self, name: str) -> "Person":
        return Person(self.url, name)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Person:
    """An account on a homeserver, who reads rooms and accepts the invitation of the host."""

    def __init__(self, server: str, name: str) -> None:
        self.server, self.name = server, name.lower()
        self.token = self.room = self.host = self.since = ""
        self.direct: str | None = None
        self.read: dict[str, list[str]] = {}
        self.pictures: dict[str, list[bytes]] = {}
        self.keys: set[str] = set()
        self.choices: list[str] = []
        self.chance = random.Random(name)
        account = {"username": self.name, "password": name, "auth": {"type": "m.login.dummy"}}
        made = self.call("POST", "register", account)
        self.user, self.token = made["user_id"], made["access_token"]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(
            f"{self.server}/_matrix/client/v3/{path}", data, headers, method=method
        )
        with urllib.request.urlopen(request, timeout=WAIT) as response:
            return json.load(response)

    def picture(self, content: Any) -> bytes:
        place = content["url"].removeprefix("mxc://")
        url = f"{self.server}/_matrix/client/v1/media/download/{place}"
        headers = {"authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=WAIT) as response:
            data = bytes(response.read())
        assert len(data) == content["info"]["size"]
        return data

    def say(self, room: str, text: str) -> None:
        content = {"msgtype": "m.text", "body": text}
        self.call("PUT", f"rooms/{room}/send/m.room.message/{uuid.uuid4()}", content)

    def heard(self, room: str | None = None) -> str:
        """What the host has said in a room so far."""
        return "".join(f"{it}\n" for it in self.read.get(room or self.room, []))

    def look(self) -> None:
        """Reads what is new."""
        query = {"timeout": 50, "filter": '{"room": {"timeline": {"limit": 1000}}}'}
        query |= {"since": self.since} if self.since else {}
        news = self.call("GET", f"sync?{urllib.parse.urlencode(query)}")
        self.since = news["next_batch"]
        rooms = news.get("rooms", {})
        for room, invited in rooms.get("invite", {}).items():
            sent = {it["sender"] for it in invited["invite_state"]["events"] if "sender" in it}
            if self.host in sent:
                self.direct = room
                self.call("POST", f"join/{room}", {})
        for room, joined in rooms.get("join", {}).items():
            if joined["timeline"].get("limited") and self.since and room in self.read:
                raise AssertionError("something was not read")
            for event in joined["timeline"]["events"]:
                if event["content"].get("msgtype") == "m.image":
                    shown = self.picture(event["content"])
                    self.pictures.setdefault(room, []).append(shown)
                elif event["type"] == "m.room.message" and event["sender"] == self.host:
                    self.keys |= set(event["content"])
                    text = event["content"]["body"]
                    self.read.setdefault(room, []).append(text)
                    if room == self.direct and (found := re.findall(r"(?m)^(\d+)\. ", text)):
                        self.choices = found

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT
        while not done():
            self.look()
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} waits in vain: {self.heard()[-2000:]}")


# === Discord ===

CHANNEL, GUILD, APPLICATION = "1128", "77", "4200"


class Discord:
    """What an application reaches of Discord: it checks what is sent, and keeps who reads it."""

    def __init__(self) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.port = free_port()
        # What everyone in the channel reads.
        self.messages: list[dict[str, Any]] = []
        # The interactions by their tokens, and whether their answers are shown to one only.
        self.asked: dict[str, "Member"] = {}
        self.private: dict[str, bool] = {}
        self.answered: set[str] = set()
        self.faults: list[str] = []
        self.kinds: set[int] = set()
        self.lock = threading.Condition()
        self.calls = 0
        endpoint = type("Bound", (Rest,), {"discord": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), endpoint)
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v10"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def heard(self) -> str:
        with self.lock:
            return "".join(f"{plain(it['content'])}\n" for it in self.messages)

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT
        while not done():
            with self.lock:
                self.lock.wait(0.1)
            if time.monotonic() > end or self.faults:
                raise AssertionError(f"{self.faults}: {self.heard()[-2000:]}")

    # === To the application ===

    def sign(self, timestamp: str, body: bytes) -> str:
        return self.key.sign(timestamp.encode() + body).hex()

    def deliver(self, signature: str, timestamp: str, body: bytes) -> tuple[int, Any]:
        headers = {"content-type": "application/json", "x-signature-ed25519": signature}
        headers["x-signature-timestamp"] = timestamp
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, None

    # === From the application ===

    def take(self, method: str, path: str, authorization: str | None, body: Any) -> tuple[int, Any]:
        webhook = f"/api/v10/webhooks/{APPLICATION}/"
        if path.startswith(webhook):
            token = path.removeprefix(webhook).partition("/")[0]
            return self.fill(method, path.removeprefix(webhook + token), token, body)
        if authorization != "Bot test-token":
            return 401, {"code": 0, "message": "401: Unauthorized"}
        called = f"{method} {path.removeprefix('/api/v10')}"
        if called == "GET /applications/@me":
            key = self.key.public_key().public_bytes_raw().hex()
            return 200, {"id": APPLICATION, "name": "Croupier", "verify_key": key}
        if called == f"GET /channels/{CHANNEL}":
            return 200, {"id": CHANNEL, "type": 0, "guild_id": GUILD, "name": "heist"}
        if called == f"PUT /applications/{APPLICATION}/guilds/{GUILD}/commands":
            for command in body:
                self.check_command(command)
            return 200, [it | {"id": "1", "application_id": APPLICATION} for it in body]
        if called == f"POST /channels/{CHANNEL}/messages":
            self.calls += 1
            if self.calls == 2:
                told = {"message": "You are being rate limited.", "retry_after": 0.01}
                return 429, told | {"global": False}
            return self.keep(body, None)
        self.faults.append(f"{method} {path}")
        return 404, {"code": 0, "message": "404: Not Found"}

    def fill(self, method: str, rest: str, token: str, body: Any) -> tuple[int, Any]:
        known = token in self.private
        if not known or len(self.answered) == 3 and token not in self.answered:
            # As if the answer that this completes were still on its way.
            self.answered.add(token)
            return 404, {"code": 10015, "message": "Unknown Webhook"}
        first = method == "PATCH" and rest == "/messages/@original"
        if not first and (method != "POST" or rest):
            self.faults.append(f"{method} {rest}")
        # Only further messages have flags of their own: the first has those of its answer.
        private = self.private[token] if first else bool(body.get("flags", 0) & 64)
        answer = self.keep(body, self.asked[token] if private else None)
        self.answered.add(token)
        return answer

    def keep(self, body: Any, reader: "Member | None") -> tuple[int, Any]:
        picture = body.pop("files[0]", None)
        try:
            self.check_message(body)
        except AssertionError as fault:
            self.faults.append(f"{fault}: {json.dumps(body)}")
            return 400, {"code": 50035, "message": "Invalid Form Body"}
        kept = {"id": str(len(self.messages)), "channel_id": CHANNEL, "components": []} | body
        kept["flags"] = 64 if reader else 0
        shown = kept | {"picture": picture}
        if [it["id"] for it in body.get("attachments", [])] != ([0] if picture else []):
            self.faults.append(f"attachments: {body}")
        (reader.messages if reader else self.messages).append(shown)
        return 200, kept

    def check_message(self, body: Any) -> None:
        assert 0 < len(body["content"]) <= 2000, "content"
        assert body["allowed_mentions"]["parse"] == [], "allowed_mentions"
        assert len(body.get("components", [])) <= 5, "rows"
        named: list[str] = []
        for row in body.get("components", []):
            assert row["type"] == 1 and 1 <= len(row["components"]) <= 5, "a row"
            for it in row["components"]:
                self.kinds |= {1, it["type"]}
                assert 1 <= len(it["custom_id"]) <= 100, "custom_id"
                named.append(it["custom_id"])
                if it["type"] == 2:
                    assert it["style"] in (1, 2, 3, 4) and 1 <= len(it["label"]) <= 80, "a button"
                else:
                    assert it["type"] == 3 and len(row["components"]) == 1, "a menu"
                    assert 1 <= len(it["options"]) <= 25, "options"
                    values = [option["value"] for option in it["options"]]
                    assert len(set(values)) == len(values), "values"
                    for option in it["options"]:
                        for limited in ("label", "value", "description"):
                            assert 1 <= len(option[limited]) <= 100, limited
        assert len(set(named)) == len(named), "custom_id twice"

    def check_command(self, command: Any) -> None:
        named = re.fullmatch("[a-z0-9_-]{1,32}", command["name"])
        if not named or not 1 <= len(command["description"]) <= 100:
            self.faults.append(f"a command: {command}")
        if len(command.get("options", [])) > 25:
            self.faults.append(f"options: {command}")
        for option in command.get("options", []):
            self.check_command(option)


class Rest(http.server.BaseHTTPRequestHandler):
    discord: Discord

    def answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        data = self.rfile.read(length)
        content_type = self.headers["content-type"] or ""
        if content_type.startswith("multipart/"):
            body = parts(content_type, data)
        else:
            body = json.loads(data) if length else None
        with self.discord.lock:
            status, answer = self.discord.take(
                self.command, self.path, self.headers["authorization"], body
            )
            self.discord.lock.notify_all()
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = answer

    def log_message(self, *_: object) -> None:
        pass


def parts(content_type: str, data: bytes) -> Any:
    """The message of a form, with its picture."""
    head = f"content-type: {content_type}\r\n\r\n".encode()
    message = email.message_from_bytes(head + data, policy=email.policy.HTTP)
    disposition = "content-disposition"
    named = {str(it.get_param("name", header=disposition)): it for it in message.iter_parts()}
    picture = named["files[0]"].get_payload(decode=True)
    assert isinstance(picture, bytes) and named["files[0]"].get_filename() == "table.png"
    return json.loads(named["payload_json"].get_content()) | {"files[0]": picture}


class Member:
    """A member of the guild, who uses commands, buttons and menus."""

    def __init__(self, discord: Discord, id: str, name: str) -> None:
        self.discord, self.id, self.name = discord, id, name
        # What this member alone was shown.
        self.messages: list[dict[str, Any]] = []
        self.chance = random.Random(name)

    def interaction(self, kind: int, data: Any, **more: Any) -> dict[str, Any]:
        user = {"id": self.id, "username": f"user{self.id}", "global_name": self.name}
        user |= {"discriminator": "0", "avatar": None}
        member = {"user": user, "nick": None, "roles": [], "permissions": "2147483647"}
        common = {"id": uuid.uuid4().hex, "application_id": APPLICATION, "type": kind, "version": 1}
        common |= {"token": uuid.uuid4().hex, "guild_id": GUILD, "channel_id": CHANNEL}
        common |= {"member": member, "locale": "en-US", "entitlements": []}
        return common | {"data": data} | more

    def send(self, interaction: dict[str, Any]) -> Any:
        """Delivers it. What it is answered at once; Discord then waits for what follows."""
        self.discord.asked[interaction["token"]] = self
        body, now = json.dumps(interaction).encode(), str(int(time.time()))
        status, answer = self.discord.deliver(self.discord.sign(now, body), now, body)
        assert status == 200, status
        with self.discord.lock:
            if answer["type"] in (5, 6):
                shown = interaction.get("message", {}).get("flags", 0)
                flags = shown if answer["type"] == 6 else answer.get("data", {}).get("flags", 0)
                self.discord.private[interaction["token"]] = bool(flags & 64)
        return answer

    def ask(self, interaction: dict[str, Any]) -> str:
        """What this member is shown in answer."""
        before = len(self.messages)
        self.send(interaction)
        token = interaction["token"]
        self.discord.until(lambda: token in self.discord.answered)
        if self.discord.private[token]:
            # Longer answers come in several messages, the last with something to press.
            self.discord.until(lambda: bool(self.messages[before:] and self.components()))
        return "".join(it["content"] for it in self.messages[before:])

    def command(self, word: str, *options: Any) -> str:
        subcommand = {"type": 1, "name": word, "options": list(options)}
        data = {"id": "1", "type": 1, "name": "match", "options": [subcommand]}
        return self.ask(self.interaction(2, data))

    def press(self, message: dict[str, Any], custom_id: str, *values: str) -> str:
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2}
        data |= {"values": list(values)} if values else {}
        pressed = {name: it for name, it in message.items() if name != "picture"}
        return self.ask(self.interaction(3, data, message=pressed))

    def components(self) -> list[dict[str, Any]]:
        rows = self.messages[-1]["components"] if self.messages else []
        return [it for row in rows for it in row["components"]]

    def choices(self) -> list[tuple[str, ...]]:
        """What can be pressed or chosen in the newest message, without the way back."""
        found: list[tuple[str, ...]] = []
        for it in self.components():
            if it["type"] == 3:
                found += [(it["custom_id"], option["value"]) for option in it["options"]]
            elif it["custom_id"].startswith("at:") and not it["custom_id"].endswith(":"):
                found.append((it["custom_id"],))
        return found

    def back(self) -> bool:
        return any(it["custom_id"].endswith(":") and it["type"] == 2 for it in self.components())

    def choose(self) -> str:
        return self.press(self.messages[-1], *self.chance.choice(self.choices()))

    def heard(self) -> str:
        return "".join(f"{plain(it['content'])}\n" for it in self.messages)


def plain(content: str) -> str:
    """The text of a message, as it is shown."""
    if content.startswith("```"):
        return content.removeprefix("```").removesuffix("```")
    return re.sub(r"\\(.)", r"\1", re.sub("^<@[0-9]+> ", "", content))


# === IRC ===


class Player:
    """Somebody in the channel, who answers whatever the host asks at random."""

    def __init__(self, nick: str) -> None:
        self.nick = nick
        self.chance = random.Random(nick)
        self.channel: list[str] = []
        self.told: list[str] = []
        self.host = "croupier"
        self.choices: list[str] = []
        self.entered = asyncio.Event()

    async def connect(self, port: int) -> None:
        for _ in range(100):
            try:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.05)
        self.send(f"NICK {self.nick}", f"USER {self.nick} 0 * :{self.nick}")

    def send(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def live(self) -> None:
        while True:
            try:
                line = (await asyncio.wait_for(self.reader.readline(), 0.05)).decode().rstrip("\r\n")
            except asyncio.TimeoutError:
                # The host has said all that it has to say.
                if self.choices:
                    self.send(f"PRIVMSG {self.host} :{self.chance.choice(self.choices)}")
                    self.choices = []
                continue
            prefix, _, rest = line.partition(" ")
            if prefix == "PING":
                self.send(f"PONG {rest}")
            elif " 001 " in line[:40]:
                self.send("JOIN #heist")
            elif " 366 " in line:
                self.entered.set()
            elif rest.startswith("PRIVMSG #heist :"):
                self.channel.append(rest.partition(" :")[2])
            elif rest.startswith("PRIVMSG "):
                self.host = prefix[1:].partition("!")[0]
                text = rest.partition(" :")[2]
                self.told.append(text)
                if found := re.match(r"(\d+)\. (\w+)", text):
                    self.choices = [] if found[1] == "1" else self.choices
                    # Deals could go on for ever.
                    if found[2] not in DEALS or self.chance.random() < 0.05:
                        self.choices.append(found[1])


async def evening(
    port: int, nicks: list[str], host: Callable[[], subprocess.Popen[str]]
) -> tuple[list[str], dict[str, list[str]]]:
    """A match, with a host that is killed in the middle. What the channel and each player read."""
    players = [Player(nick) for nick in nicks]
    for player in players:
        await player.connect(port)
    try:
        return await played(players, host)
    finally:
        for player in players:
            player.writer.close()


async def played(
    players: list[Player], host: Callable[[], subprocess.Popen[str]]
) -> tuple[list[str], dict[str, list[str]]]:
    nicks = [player.nick for player in players]
    living = [asyncio.create_task(player.live()) for player in players]
    for player in players:
        await asyncio.wait_for(player.entered.wait(), 10)
    first = players[0]

    async def until(found: str, after: int = 0) -> int:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for task in living:
                if task.done():
                    task.result()
            for n, line in enumerate(first.channel[after:], after):
                if found in line:
                    return n
            await asyncio.sleep(0.01)
        raise AssertionError(f"nobody said {found!r}: {first.channel[-20:]} {first.told[-20:]}")

    hosting = host()
    await until("nobody. !join or !start")
    for n, player in enumerate(players):
        player.send("PRIVMSG #heist :!join")
        await until(", ".join(nicks[: n + 1]) + ". !join")
    first.send("PRIVMSG #heist :!start")
    first.send("PRIVMSG #heist :!table")
    begun = len(first.channel)
    while len(first.channel) < begun + 12:
        await asyncio.sleep(0.01)
    hosting.kill()
    hosting = host()
    going_on = await until("We go on.")
    await until("nobody. !join or !start", going_on)
    hosting.send_signal(signal.SIGINT)
    for task in living:
        task.cancel()
    return first.channel, {player.nick: player.told for player in players}
