"""Names of resources, given in full or by their last part, and durations in seconds."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration


def resource(collection: str, name: str) -> str:
    """The full name: `matches/abc` for `abc`."""
    return name if not name or name.startswith(collection + "/") else f"{collection}/{name}"


def duration(seconds: float) -> Duration | None:
    """A duration in the form of the contract; the service's default for 0."""
    return Duration(seconds=int(seconds), nanos=round(seconds % 1 * 1e9)) if seconds else None


def seat_viewer(seat: int) -> str:
    """The viewer that sees what a seat sees."""
    return f"seats/{seat}"
