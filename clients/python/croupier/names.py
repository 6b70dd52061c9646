"""Names of resources, given in full or by their last part."""

from __future__ import annotations


def resource(collection: str, name: str) -> str:
    """The full name: `matches/abc` for `abc`."""
    return name if not name or name.startswith(collection + "/") else f"{collection}/{name}"


def seat_viewer(seat: int) -> str:
    """The viewer that sees what a seat sees."""
    return f"seats/{seat}"
