"""The examples that play in chats: real servers of IRC and Matrix, and Discord's formats."""

import asyncio
import random
import re
import shutil
import signal
import subprocess
import time
import os
import unittest
from collections.abc import Callable

from tests.programs import ProgramTestCase
from tests.service import free_port

DEALS = {"Ask", "Offer", "Pay", "Withdraw"}
NGIRCD = shutil.which("ngircd", path=f"{os.environ['PATH']}:/usr/sbin")


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

        def texts(viewer: str) -> str:
            seen = self.client.match(match.name, viewer=viewer)
            tables = (seen.view(position).text for position in range(1, match.position + 1))
            return "".join([*(it.text for it in seen.entries()), *tables, match.summary])

        def bare(text: str) -> str:
            return re.sub(r"\s", "", text)

        # The channel was told what a spectator may know, and nothing else.
        public = bare(texts("spectator"))
        own_words = ("join", "players):", "We go on.", "a match is being played", "Talk on!")
        for line in channel:
            if not any(it in line for it in own_words):
                self.assertIn(bare(line), public)
        self.assertGreater(len(channel), 20)
        for seat, nick in enumerate(nicks):
            secret = bare(texts(f"seats/{seat}"))
            private = [bare(line) for line in told[nick] if bare(line) in secret]
            self.assertTrue([line for line in private if line not in public], nick)


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
