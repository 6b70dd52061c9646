"""Names of resources, given in full or by their last part, and durations in seconds."""

from __future__ import annotations

import datetime

from google.protobuf.duration_pb2 import Duration


def resource(collection: str, name: str) -> str:
    """The full name: `matches/abc` for `abc`."""
    return name if not name or name.startswith(collection + "/") else f"{collection}/{name}"


def duration(seconds: float | None) -> Duration | None:
    """A duration in the form of the contract; absent, for the service's default, if `None`."""
    if seconds is None:
        return None
    length = Duration()
    length.FromTimedelta(datetime.timedelta(seconds=seconds))
    return length


def seat_viewer(seat: int) -> str:
    """The viewer that sees what a seat sees."""
    return f"seats/{seat}"
