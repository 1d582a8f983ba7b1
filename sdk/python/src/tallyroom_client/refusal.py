"""The error for an event that the server would refuse."""


class EventRefused(ValueError):
    """The message names the field and the reason, and never contains a value of a property."""
