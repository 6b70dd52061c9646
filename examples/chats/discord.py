"""A host of matches in a channel of Discord, by interactions over HTTP.

    DISCORD_TOKEN=… python examples/chats/discord.py mountebank --channel 1128 --port 8080

In the channel it tells what everyone may know. `/match` and the buttons answer a player with what
only that player may read, and with what there is to decide, as further buttons and menus.
DISCORD_TOKEN is the token of the application's bot, which may write in the channel; the
application's Interactions Endpoint URL leads to the port, through a proxy with TLS.
"""

import argparse
import asyncio
import collections
import json
import os
import re
import time
from collections.abc import Iterator
from email.message import Message
from typing import Any
from urllib.parse import quote

from calls import Heard, Outbox, call, form, listening
from croupier import Refusal
from croupier.ed25519 import is_signed
from room import Chat, Mistake, Offer, Room, hosting

SIGNED_FOR = 300  # seconds for which a signed request is taken
# Limits: characters of a message and of labels, options of a menu, buttons of a row.
CONTENT_MAX, BUTTON_MAX, LABEL_MAX, OPTIONS_MAX, ROW_MAX = 2000, 80, 100, 25, 5
# Types of interactions, and of their answers.
PING, COMMAND, PONG, MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE = 1, 2, 1, 4, 5, 6
EPHEMERAL, UNKNOWN_WEBHOOK = 64, "10015"
PUBLIC = {"join": "Sit down", "leave": "Stand up", "bot": "Seat a bot", "start": "Begin"}
PUBLIC |= {"table": "Show the table to all"}
PRIVATE = {"hand": "See what you hold and can do", "say": "Say something in the match"}
PRIVATE |= {"undo": "Take back your last action", "resign": "Resign"}
PICTURE = "table.png"
Picture = bytes | None
Answer = tuple[list[str], list[Any], Picture]  # texts, and the components and picture below them
ARGUMENTS = {"bot": {"level": False}, "say": {"text": True}}


async def main() -> None:
    parser = argparse.ArgumentParser(description="A host of matches in a channel of Discord.")
    parser.add_argument("--channel", required=True, help="the id of the channel")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--api", default="https://discord.com/api/v10")
    async with hosting(parser) as (croupier, game, args):
        discord = Discord(args.api, os.environ["DISCORD_TOKEN"], args.channel)
        discord.room = Room(croupier, discord, game, args.channel, args.option, OPTIONS_MAX)
        await discord.run(args.port)


class Discord(Chat):
    """An application in one channel."""

    kind = "discord"
    prefix = "/match "
    draws = True

    def __init__(self, api: str, token: str, channel: str) -> None:
        self.api, self.authorization, self.channel = api, f"Bot {token}", channel
        self.id, self.key = "", b""
        self.offers: dict[str, Offer] = {}
        # What players are told when they look the next time: the last of it.
        self.kept: dict[str, collections.deque[str]] = {}
        self.acted: dict[str, str] = {}
        self.taken: collections.OrderedDict[str, object] = collections.OrderedDict()
        self.outbox, self.answers = Outbox(), Outbox()
        self.loop = asyncio.get_running_loop()

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        return await call(method, f"{self.api}/{path}", body, self.authorization)

    async def run(self, port: int) -> None:
        application = await self.call("GET", "applications/@me")
        self.id, self.key = application["id"], bytes.fromhex(application["verify_key"])
        guild = (await self.call("GET", f"channels/{self.channel}"))["guild_id"]
        await self.call("PUT", f"applications/{self.id}/guilds/{guild}/commands", [commands()])
        with listening(port, self.hear):
            await self.room.take_up()
            await asyncio.gather(self.outbox.run(), self.answers.run())

    # === What is told ===

    def tell(self, text: str) -> None:
        for content in contents(text):
            self.post({"content": content})

    def notice(self, player: str, text: str, picture: Picture = None) -> None:
        hand = row([button("Your move", "hand", style=1)])
        content = f"<@{player}> {escaped(text)}"
        self.post({"content": content, "components": [hand]}, picture, player)

    def post(self, message: dict[str, Any], picture: Picture = None, *mentioned: str) -> None:
        # Names and talk are people's: they mention nobody.
        allowed = {"allowed_mentions": {"parse": [], "users": mentioned}}
        path = f"channels/{self.channel}/messages"
        body = with_picture(message | allowed, picture)
        self.outbox.put("the channel", lambda: self.call("POST", path, body))

    def whisper(self, player: str, text: str) -> None:
        # Discord shows messages to one person only as answers, so it waits until the player looks.
        if text != self.acted.get(player):
            self.kept.setdefault(player, collections.deque(maxlen=10)).append(text)

    async def begun(self, player: str) -> None:
        self.kept.pop(player, None)

    # === Interactions ===

    def hear(self, headers: Message, body: bytes) -> Heard:
        timestamp = headers.get("x-signature-timestamp", "")
        if not self.signed(headers.get("x-signature-ed25519", ""), timestamp, body):
            return None, None
        interaction = json.loads(body)
        answer = self.answer(interaction)
        if not answer or answer["type"] not in (DEFERRED_MESSAGE, DEFERRED_UPDATE):
            return answer, None
        take = self.take(interaction)
        return answer, lambda: asyncio.run_coroutine_threadsafe(take, self.loop)

    def signed(self, signature: str, timestamp: str, body: bytes) -> bool:
        """Whether Discord has sent this, and lately."""
        if not re.fullmatch("[0-9]{10}:[0-9a-f]{128}", f"{timestamp}:{signature}"):
            return False
        lately = abs(time.time() - int(timestamp)) <= SIGNED_FOR
        return lately and is_signed(self.key, timestamp.encode() + body, bytes.fromhex(signature))

    def answer(self, interaction: dict[str, Any]) -> dict[str, Any] | None:
        """What is answered at once, as Discord waits for three seconds only; the rest follows. None
        for an interaction that was taken before."""
        if interaction["type"] == PING:
            return {"type": PONG}
        mark = object()
        if self.taken.setdefault(interaction["id"], mark) is not mark:
            return None
        while len(self.taken) > 10_000:
            self.taken.popitem(last=False)
        if interaction.get("channel_id") != self.channel or "member" not in interaction:
            return private(MESSAGE, content=f"I play in <#{self.channel}>.")
        if interaction["type"] == COMMAND:
            public = said(interaction["data"])[0] in PUBLIC
            return {"type": DEFERRED_MESSAGE} if public else private(DEFERRED_MESSAGE)
        shown_to_one = interaction["message"].get("flags", 0) & EPHEMERAL
        return {"type": DEFERRED_UPDATE} if shown_to_one else private(DEFERRED_MESSAGE)

    async def take(self, interaction: dict[str, Any]) -> None:
        """Carries out what somebody asks, and tells the result."""
        member, data = interaction["member"], interaction["data"]
        player, user = member["user"]["id"], member["user"]
        word, rest = said(data) if interaction["type"] == COMMAND else ("", "")
        components: list[Any] = []
        picture: Picture = None
        try:
            if word in PUBLIC:
                name = member.get("nick") or user.get("global_name") or user["username"]
                texts = [await self.room.command(player, name, word, rest) or "We begin."]
            elif word:
                texts, components, picture = await self.command(player, word, rest)
            else:
                values = data.get("values", [])
                texts, components, picture = await self.press(player, data["custom_id"], values)
        except (Mistake, Refusal) as error:
            texts, components = [str(error)], [row(LOOK)]
        flags = 0 if word in PUBLIC else EPHEMERAL
        messages = [{"content": part, "flags": flags} for it in texts for part in contents(it)]
        messages[-1]["components"] = components
        self.answers.put("a player", lambda: self.follow(interaction["token"], messages, picture))

    async def follow(self, token: str, messages: list[dict[str, Any]], picture: Picture) -> None:
        """Fills in the answer of an interaction, and adds what is too long for it."""
        webhook = f"{self.api}/webhooks/{self.id}/{quote(token, safe='')}"
        rest: dict[str, Any] = {"components": [], "allowed_mentions": {"parse": []}}
        *bodies, last = [rest | {"attachments": []} | it for it in messages]
        first, *more = [*bodies, with_picture(last, picture)]
        # Discord may still be reading the answer that this completes.
        await call("PATCH", f"{webhook}/messages/@original", first, again=UNKNOWN_WEBHOOK)
        for body in more:
            await call("POST", webhook, body)

    # === What only one player reads ===

    async def command(self, player: str, word: str, rest: str) -> Answer:
        own = self.room.own(player)
        if word == "say":
            await own.say(rest)
        elif word == "undo":
            await own.take_back()
        elif word == "resign":
            await own.resign()
        return await self.hand(player)

    async def press(self, player: str, pressed: str, values: list[str]) -> Answer:
        """A button or an option: it names a list, and a path in it."""
        if pressed == "hand":
            return await self.hand(player)
        _, id, path = pressed.split(":")
        offer = self.offers.get(player)
        if offer is None or offer.id != id:
            return await self.hand(player, "The match went on, and so did what you can do.")
        path = ".".join(filter(None, [path, *values]))
        if (action := offer.at(path).action) is None:
            return [offer.table], menu(offer, path), await self.room.picture(player)
        try:
            done = await self.room.act(player, offer, action)
        except Refusal as refusal:
            return await self.hand(player, str(refusal))
        self.acted[player] = done
        return await self.hand(player, done)

    async def hand(self, player: str, *above: str) -> Answer:
        offer = self.offers[player] = await self.room.offer(player)
        kept = self.kept.pop(player, ())
        texts = ["\n".join(dict.fromkeys([*kept, *above])), offer.table]
        return texts, menu(offer, ""), await self.room.picture(player)


# === Messages ===


def menu(offer: Offer, path: str) -> list[Any]:
    """A step of a choice as buttons, or as a menu if they are many."""
    below = offer.at(path).below
    if len(below) <= 2 * ROW_MAX:
        paths = [f"at:{offer.id}:{path}{'.' if path else ''}{n}" for n in range(len(below))]
        buttons = [button(it.short, to) for it, to in zip(below, paths)]
        rows = [row(buttons[n : n + ROW_MAX]) for n in range(0, len(buttons), ROW_MAX)]
    else:
        options = [
            {"label": it.short[:LABEL_MAX], "value": str(n), "description": it.label[:LABEL_MAX]}
            for n, it in enumerate(below)
        ]
        rows = [row([{"type": 3, "custom_id": f"in:{offer.id}:{path}", "options": options}])]
    return [*rows, row([button("Back", f"at:{offer.id}:"), *LOOK]) if path else row(LOOK)]


def with_picture(message: dict[str, Any], picture: Picture) -> Any:
    """The body of a message, with the only picture that it has."""
    if not picture:
        return message
    return form(message | {"attachments": [{"id": 0, "filename": PICTURE}]}, PICTURE, picture)


def button(label: str, to: str, style: int = 2) -> dict[str, Any]:
    return {"type": 2, "style": style, "label": label[:BUTTON_MAX], "custom_id": to}


def row(components: list[Any]) -> dict[str, Any]:
    return {"type": 1, "components": components}


def said(data: dict[str, Any]) -> tuple[str, str]:
    """The subcommand, and what was given with it."""
    (word,) = data["options"]
    return word["name"], " ".join(str(it["value"]) for it in word.get("options", []))


LOOK = [button("Look again", "hand")]


def private(kind: int, **data: str) -> dict[str, Any]:
    return {"type": kind, "data": data | {"flags": EPHEMERAL}}


def contents(text: str) -> Iterator[str]:
    """A text in messages that are short enough. Tables are drawn in letters of one width."""
    drawn = "\n  " in text
    text = text.replace("`", "'") if drawn else escaped(text)
    while text := text.strip("\n"):
        cut = text.rfind("\n", 1, CONTENT_MAX - 10) if len(text) > CONTENT_MAX - 10 else len(text)
        part = text[: cut if cut > 0 else CONTENT_MAX - 10]
        yield f"```\n{part}\n```" if drawn else part
        text = text[len(part) :]


def escaped(text: str) -> str:
    """Names and talk are people's: they are shown as they are."""
    return re.sub(r"([\\*_~`|<>#\[\]])", r"\\\1", text)


def commands() -> dict[str, Any]:
    """`/match` and its subcommands, as Discord is told of them."""
    words = (PUBLIC | PRIVATE).items()
    options: list[dict[str, Any]]
    options = [{"type": 1, "name": word, "description": said} for word, said in words]
    for it in options:
        for name, required in ARGUMENTS.get(it["name"], {}).items():
            given = {"type": 3, "name": name, "description": name, "required": required}
            it["options"] = [given | {"max_length": 500}]
    return {"name": "match", "description": "A match in this channel", "options": options}


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
