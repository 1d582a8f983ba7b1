"""Why a notification did not reach anybody."""


class NotNow(Exception):
    """The other side did not take it, but another attempt may succeed."""


class NotTaken(Exception):
    """The other side refused it for good, or there is no way to it."""
