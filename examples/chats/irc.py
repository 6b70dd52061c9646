"""A host of matches in an IRC channel.

    python examples/chats/irc.py among-thieves --server irc.example.com:6667 --channel '#heist'

In the channel it tells what everyone may know; to each player it sends privately what only that
player may know, and what there is to decide, as numbered actions. A nick is a player, so it is as
safe as the server's registration of nicks.
"""

import argparse
import asyncio
import re
import textwrap
from collections.abc import AsyncIterator

from room import Room, hosting
from words import TextChat

LINE = 380  # what surely fits into a line of 512 bytes with its prefix


async def main() -> None:
    parser = argparse.ArgumentParser(description="A host of matches in an IRC channel.")
    parser.add_argument("--server", required=True, help="HOST:PORT of the IRC server")
    parser.add_argument("--channel", required=True)
    parser.add_argument("--nick", default="croupier")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds between two lines")
    async with hosting(parser) as (croupier, game, args):
        failures = 0
        while True:
            try:
                irc = await Irc.connect(args.server, args.nick, args.channel, args.pace)
                failures = 0
                irc.room = Room(croupier, irc, game, args.channel, args.option)
                await irc.run()
            except OSError as error:
                print(f"the IRC server is away: {error}", flush=True)
            failures += 1
            await asyncio.sleep(min(60, 2**failures))


class Irc(TextChat):
    """A connection to an IRC server, in one channel."""

    kind = "irc"

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, channel: str, pace: float
    ) -> None:
        super().__init__()
        self.reader, self.writer, self.channel, self.pace = reader, writer, channel, pace
        self.nick = ""
        # Where players are told: their nick now.
        self.nicks: dict[str, str] = {}
        self.lines: asyncio.Queue[str] = asyncio.Queue()

    @classmethod
    async def connect(cls, server: str, nick: str, channel: str, pace: float) -> "Irc":
        host, _, port = server.rpartition(":")
        irc = cls(*await asyncio.open_connection(host, int(port)), channel, pace)
        irc.send(f"NICK {nick}")
        irc.send(f"USER {nick} 0 * :host of matches")
        irc.nick = nick
        return irc

    async def run(self) -> None:
        speaking = asyncio.create_task(self.speak())
        try:
            async for nick, target, text in self.messages():
                if not nick:
                    await self.room.take_up()
                    continue
                player = self.player_of(nick)
                if not target:
                    self.rename(player, text)
                    continue
                self.nicks[player] = nick
                if target.lower() == self.channel.lower():
                    await self.heard(player, nick, text)
                else:
                    await self.private(player, text)
        finally:
            speaking.cancel()
            self.room.close()
            self.writer.close()

    # === Players ===

    def rename(self, player: str, nick: str) -> None:
        self.nicks.pop(player, None)
        if nick:
            self.nicks[player] = nick

    def player_of(self, nick: str) -> str:
        """A player is who had the nick when the seat was taken: not who takes it while that player
        has another one."""
        player = nick.lower()
        for known, now in self.nicks.items():
            if now.lower() == nick.lower():
                return known
        while player in self.nicks:
            player += "'"
        return player

    def nick_of(self, player: str) -> str:
        return self.nicks.get(player, player)

    # === What is told ===

    def tell(self, text: str) -> None:
        self.say(self.channel, text)

    def notice(self, player: str, text: str, picture: bytes | None = None) -> None:
        # The text has the name that the player sat down with, which may be another nick by now.
        nick = self.nick_of(player)
        self.tell(text if nick.lower() in text.lower() else f"{nick}: {text}")

    def whisper(self, player: str, text: str) -> None:
        self.say(self.nick_of(player), text)

    def say(self, target: str, text: str) -> None:
        """Queues a text, which may have lines, and lines that are too long."""
        for line in text.splitlines():
            plain = re.sub(r"[\x00-\x1f\x7f]", " ", line).rstrip()
            # An empty line would be no message; one in characters of several bytes must be shorter.
            width = LINE * len(plain) // max(1, len(plain.encode()))
            for part in textwrap.wrap(plain, width, drop_whitespace=False) if plain else []:
                self.lines.put_nowait(f"PRIVMSG {target} :{part}")

    # === The protocol ===

    def send(self, line: str) -> None:
        self.writer.write(line.encode() + b"\r\n")

    async def speak(self) -> None:
        """Sends what is queued, not faster than servers allow."""
        while True:
            self.send(await self.lines.get())
            await self.writer.drain()
            await asyncio.sleep(self.pace)

    async def messages(self) -> AsyncIterator[tuple[str, str, str]]:
        """Nick, target and text of each message. Without a target, the text is the new nick, which
        is empty for somebody who has left."""
        while line := await self.reader.readline():
            text = line.decode(errors="replace").rstrip("\r\n")
            found = re.fullmatch(r"(?::([^ !]+)\S* )?(\w+) ?(.*)", text)
            if not found:
                continue
            nick, command, rest = found.groups(default="")
            target, _, said = rest.partition(" :")
            if command == "PING":
                self.send(f"PONG {rest}")
            elif command == "001":
                self.send(f"JOIN {self.channel}")
            elif command == "433":
                self.nick += "_"
                self.send(f"NICK {self.nick}")
            elif command == "NICK":
                yield nick, "", rest.removeprefix(":")
            elif command == "QUIT":
                yield nick, "", ""
            elif command == "PRIVMSG":
                yield nick, target, said
            elif command == "366":
                yield "", self.channel, ""  # The channel was entered.
        raise ConnectionError("the connection has ended")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
