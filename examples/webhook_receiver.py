"""An endpoint for webhooks: it verifies each message, and prints what happened.

    python examples/webhook_receiver.py feed --url https://platform.example/croupier --port 8080

With `--url` it creates the subscription first, and prints the secret that the service made; put it
into WEBHOOK_SECRET from then on. A message may come more than once, with the same id: what was taken
is not printed again.
"""

import argparse
import collections
import http.server
import os
import sys

from croupier import Refusal, v1
from croupier.blocking import Croupier
from croupier.webhooks import Forged, read_message

BODY_MAX = 16 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description="Receives webhooks.")
    parser.add_argument("subscription", help="the name of the subscription")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--url", help="where the service reaches this endpoint: subscribes it")
    args = parser.parse_args()
    # The endpoint must be there before the service calls it.
    with Server(("127.0.0.1", args.port), Endpoint) as server:
        server.secret = os.environ.get("WEBHOOK_SECRET", "")
        if args.url:
            server.secret = subscribe(args.subscription, args.url) or server.secret
        if not server.secret:
            sys.exit("WEBHOOK_SECRET is missing: the secret that was told with the subscription")
        print(f"listening on port {server.server_address[1]}", flush=True)
        server.serve_forever()


def subscribe(name: str, url: str) -> str:
    """Creates the subscription. The secret, if the service made one: it tells it only once."""
    address = os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710")
    with Croupier(address, credentials=os.environ["CROUPIER_KEY"]) as croupier:
        try:
            secret = os.environ.get("WEBHOOK_SECRET", "")
            push = v1.PushTarget(url=url, secret=secret)
            created = croupier.streams.subscription(name).create(push=push)
        except Refusal as refusal:
            sys.exit(str(refusal))
    if created.secret:
        print(f"WEBHOOK_SECRET={created.secret}", flush=True)
    return created.secret


class Server(http.server.HTTPServer):
    secret = ""
    # The last ids, oldest first. A platform keeps them where it keeps what the entries lead to.
    taken: collections.OrderedDict[str, None] = collections.OrderedDict()


class Endpoint(http.server.BaseHTTPRequestHandler):
    server: Server
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > BODY_MAX:
            self.answer(413)
            return
        body = self.rfile.read(int(length))
        try:
            message = read_message(self.server.secret, dict(self.headers.items()), body)
        except Forged as error:
            self.log_error("forged: %s", error)
            self.answer(400)
            return
        message_id = self.headers["webhook-id"]
        if message_id not in self.server.taken:
            take(message)
            self.server.taken[message_id] = None
            while len(self.server.taken) > 10_000:
                self.server.taken.popitem(last=False)
        # Not before it was taken: the service sends it again otherwise.
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def take(message: v1.WebhookMessage) -> None:
    """What a platform does with the entries. Types that are not known are taken too."""
    for streamed in message.data.entries:
        print(f"{streamed.entry.name} {streamed.game} {streamed.entry.verb}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
