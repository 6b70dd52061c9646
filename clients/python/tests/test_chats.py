"""The examples that play in chats: real servers of IRC and Matrix, and Discord's formats."""

import asyncio
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from croupier import v1
from tests.programs import ProgramTestCase
from tests.service import REPOSITORY, free_port

DEALS = {"Ask", "Offer", "Pay", "Withdraw"}
NGIRCD = shutil.which("ngircd", path=f"{os.environ['PATH']}:/usr/sbin")
SYNAPSE = pathlib.Path(os.environ.get("SYNAPSE_PYTHON") or REPOSITORY / ".tools/synapse/bin/python")
# What hosts say of their own, in rooms.
OWN_WORDS = ("join", "players):", "We go on.", "a match is being played", "Talk on!")
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

    @unittest.skipUnless(SYNAPSE.exists(), "Synapse is missing: .ci/install synapse")
    def test_a_match_in_a_room_of_matrix(self) -> None:
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
        for seat, it in enumerate((ann, bob)):
            it.look()
            self.check_whispers(match, seat, it.heard(it.direct).splitlines())
            members = host.call("GET", f"rooms/{it.direct}/joined_members")["joined"]
            self.assertEqual(set(members), {host.user, it.user})

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

    def say(self, room: str, text: str) -> None:
        content = {"msgtype": "m.text", "body": text}
        self.call("PUT", f"rooms/{room}/send/m.room.message/{uuid.uuid4()}", content)

    def heard(self, room: str | None = None) -> str:
        """What the host has said in a room so far."""
        return "".join(f"{it}\n" for it in self.read.get(room or self.room, []))

    def look(self) -> None:
        """Reads what is new."""
        news = self.call("GET", "sync?timeout=50" + (f"&since={self.since}" if self.since else ""))
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
                if event["type"] == "m.room.message" and event["sender"] == self.host:
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
