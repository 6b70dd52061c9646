"""What can be wrong with a call. Each error says what is known."""


class GymError(Exception):
    """Something is wrong with a call of this package."""


class UnknownGame(GymError, ValueError):
    """There is no such game."""


class BadOptions(GymError, ValueError):
    """Seats, options or settings do not fit the game."""


class MatchEnded(GymError, ValueError):
    """The match has ended, so nobody is asked."""


class NoSuchSeat(GymError, ValueError):
    """The match has no such seat."""


class IllegalAction(GymError, ValueError):
    """The index is not of a legal action of the seat."""


class BadShape(GymError, ValueError):
    """An array has another shape or type, or a match is of another kind."""


class NoRecord(GymError, ValueError):
    """The match cannot be recorded."""


class BadRecord(GymError, ValueError):
    """A record cannot be read, or was altered."""
