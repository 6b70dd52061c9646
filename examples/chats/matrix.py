"""A host of matches in a room of Matrix.

    MATRIX_TOKEN=… python examples/chats/matrix.py mountebank \\
        --server https://matrix.example.org --room '#heist:example.org'

In the room it tells what everyone may know. Each player has a direct room with the host, for what
only that player may know, and for what there is to decide, as numbered actions. MATRIX_TOKEN is the
access token of the host's own account. The room must not be encrypted.
"""

import argparse
import asyncio
import html
import json
import os
import uuid
from typing import Any
from urllib.parse import quote, urlencode

from calls import Failed, Outbox, Upload, call
from room import Room, hosting
from words import TextChat

POLL_MS = 10_000
PLAYER_MAX = 128  # bytes of a player's id
PICTURE = "table.png"
FILTER = {
    # Servers answer a repeated first request by what they answered before, so it is never the same.
    "presence": {"types": [], "not_senders": [f"@{uuid.uuid4()}:host"]},
    "account_data": {"types": []},
    "room": {
        "timeline": {"types": ["m.room.message"], "limit": 100},
        "state": {"types": []},
        "ephemeral": {"types": []},
        "account_data": {"types": []},
    },
}


async def main() -> None:
    parser = argparse.ArgumentParser(description="A host of matches in a room of Matrix.")
    parser.add_argument("--server", required=True, help="the address of the homeserver")
    parser.add_argument("--room", required=True, help="its alias or id")
    async with hosting(parser) as (croupier, game, args):
        matrix = await Matrix.enter(args.server, os.environ["MATRIX_TOKEN"], args.room)
        matrix.room = Room(croupier, matrix, game, matrix.id, args.option)
        await matrix.run()


class Matrix(TextChat):
    """An account on a homeserver, in one room."""

    kind = "matrix"
    draws = True

    def __init__(self, server: str, token: str) -> None:
        super().__init__()
        self.server, self.authorization = server.rstrip("/"), f"Bearer {token}"
        self.me = self.id = ""
        # The room that the host made for each player, and nobody else.
        self.direct: dict[str, str] = {}
        self.outbox = Outbox()

    @classmethod
    async def enter(cls, server: str, token: str, room: str) -> "Matrix":
        matrix = cls(server, token)
        matrix.me = (await matrix.call("GET", "account/whoami"))["user_id"]
        matrix.id = (await matrix.call("POST", f"join/{quote(room, safe='')}", {}))["room_id"]
        try:
            known = await matrix.call("GET", matrix.direct_path())
            matrix.direct = {player: rooms[0] for player, rooms in known.items() if rooms}
        except Failed as error:
            if error.code != "M_NOT_FOUND":
                raise
        return matrix

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        url = f"{self.server}/_matrix/client/v3/{path}"
        return await call(method, url, body, self.authorization)

    async def run(self) -> None:
        sending = asyncio.create_task(self.outbox.run())
        try:
            # What was said while no host was here is not answered.
            since = (await self.sync())["next_batch"]
            await self.room.take_up()
            while True:
                try:
                    news = await self.sync(since)
                except OSError as error:
                    print(f"the homeserver is away: {error}", flush=True)
                    continue
                for room, joined in news.get("rooms", {}).get("join", {}).items():
                    for event in joined["timeline"]["events"]:
                        await self.receive(room, event)
                since = news["next_batch"]
        finally:
            sending.cancel()
            self.room.close()

    async def sync(self, since: str = "") -> Any:
        query = {"filter": json.dumps(FILTER), "timeout": POLL_MS if since else 0}
        query |= {"since": since} if since else {}
        return await self.call("GET", f"sync?{urlencode(query)}")

    async def receive(self, room: str, event: dict[str, Any]) -> None:
        content, player = event.get("content", {}), event.get("sender", "")
        text = content.get("body")
        # Programs send notices, and answer none; an edited message was already read.
        edited = "m.new_content" in content
        if player == self.me or content.get("msgtype") != "m.text" or edited:
            return
        if not isinstance(text, str) or len(player.encode()) > PLAYER_MAX:
            return
        if room == self.id:
            if text.lower().startswith(f"{self.prefix}join"):
                self.outbox.put(player, lambda: self.direct_room(player))
            await self.heard(player, player[1:].partition(":")[0], text)
        elif room == self.direct.get(player):
            await self.private(player, text)

    # === What is told ===

    def tell(self, text: str) -> None:
        self.outbox.put("the room", lambda: self.send(self.id, message(text)))

    def notice(self, player: str, text: str, picture: bytes | None = None) -> None:
        mentioned = {"m.mentions": {"user_ids": [player]}}
        self.outbox.put("the room", lambda: self.send(self.id, message(text) | mentioned))
        if picture:
            self.outbox.put("the room", lambda: self.send_picture(self.id, picture))

    def whisper(self, player: str, text: str) -> None:
        async def send() -> None:
            await self.send(await self.direct_room(player), message(text))

        self.outbox.put(player, send)

    def show(self, player: str, picture: bytes) -> None:
        async def send() -> None:
            await self.send_picture(await self.direct_room(player), picture)

        self.outbox.put(player, send)

    async def send_picture(self, room: str, picture: bytes) -> None:
        url = f"{self.server}/_matrix/media/v3/upload?filename={PICTURE}"
        made = await call("POST", url, Upload(picture, "image/png"), self.authorization)
        width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        info = {"mimetype": "image/png", "size": len(picture), "w": width, "h": height}
        content = {"msgtype": "m.image", "body": PICTURE, "url": made["content_uri"], "info": info}
        await self.send(room, content)

    async def send(self, room: str, content: dict[str, Any]) -> None:
        # The same transaction is sent again if the answer was lost, and has its effect once.
        path = f"rooms/{quote(room, safe='')}/send/m.room.message/{uuid.uuid4()}"
        await self.call("PUT", path, content)

    # === Direct rooms ===

    def direct_path(self) -> str:
        return f"user/{quote(self.me, safe='')}/account_data/m.direct"

    async def direct_room(self, player: str) -> str:
        """The room of a player and the host. It is made once, and a player who left is invited."""
        if room := self.direct.get(player):
            path = f"rooms/{quote(room, safe='')}"
            members = (await self.call("GET", f"{path}/members"))["chunk"]
            state = {it["state_key"]: it["content"]["membership"] for it in members}
            inside = {user for user, now in state.items() if now in ("join", "invite", "knock")}
            if inside == {self.me, player}:
                return room
            if inside == {self.me} and state.get(player) != "ban":
                await self.call("POST", f"{path}/invite", {"user_id": player})
                return room
            # Others have come in: what is whispered is not for them.
        made = await self.call("POST", "createRoom", {
            "preset": "private_chat",
            "is_direct": True,
            "invite": [player],
            "power_level_content_override": {"invite": 100},
        })
        self.direct[player] = made["room_id"]
        await self.call("PUT", self.direct_path(), {it: [room] for it, room in self.direct.items()})
        return self.direct[player]


def message(text: str) -> dict[str, Any]:
    """A table is drawn in letters of one width."""
    content = {"msgtype": "m.notice", "body": text}
    if "\n  " in text:
        drawn = f"<pre><code>{html.escape(text)}</code></pre>"
        content |= {"format": "org.matrix.custom.html", "formatted_body": drawn}
    return content


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
