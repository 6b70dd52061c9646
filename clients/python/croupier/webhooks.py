"""Messages that the service sends to an endpoint of the platform."""

from __future__ import annotations

from collections.abc import Mapping

import standardwebhooks
from google.protobuf import json_format

from croupier import v1


class Forged(Exception):
    """A message was not signed by the service with this secret, or it is too old."""


def read_message(
    secret: str, headers: Mapping[str, str], body: bytes | str
) -> v1.WebhookMessage:
    """Verifies the signature of a message, and returns its content.

    `secret` is the subscription's; `headers` and `body` are the request's, with the body exactly as
    received. Raises `Forged`: answer it with the status 400, and drop it. Accept and ignore a
    message of an unknown `type`.
    """
    names = {name.lower(): value for name, value in headers.items()}
    try:
        text = body.decode() if isinstance(body, bytes) else body
        standardwebhooks.Webhook(secret).verify(text, names)
    except (UnicodeDecodeError, standardwebhooks.WebhookVerificationError) as error:
        raise Forged(str(error)) from None
    return json_format.Parse(text, v1.WebhookMessage(), ignore_unknown_fields=True)
