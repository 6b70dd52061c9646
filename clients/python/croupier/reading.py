"""Pages of a service, over HTTP."""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.request

UNREADABLE = (OSError, http.client.HTTPException, ValueError)
SERVER_ERROR = 500


def read(url: str, certificates: bytes | None, timeout: float) -> str | None:
    """The page as text; None if there is none. Raises one of `UNREADABLE` if nobody knows."""
    secrets = None
    if certificates is not None:
        secrets = ssl.create_default_context(cadata=certificates.decode())
    try:
        with urllib.request.urlopen(url, timeout=timeout, context=secrets) as answer:
            text: str = answer.read().decode()
            return text
    except urllib.error.HTTPError as error:
        with error:
            if error.code >= SERVER_ERROR:
                raise
            return None
