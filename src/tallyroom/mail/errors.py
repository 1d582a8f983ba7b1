"""Why a notification did not reach anybody."""


class DeliveryDeferred(Exception):
    """The other side did not take it, but another attempt may succeed.

    Args:
        reason: for the log of the operator.
        code: what a mail server answered, if it did.
        retry_after: how many seconds the other side wants to be left alone, if it said so.
    """

    def __init__(self, reason: str, *, code: int | None = None, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.retry_after = retry_after


class DeliveryRejected(Exception):
    """The other side refused it for good, or there is no way to it.

    Args:
        reason: for the log of the operator.
        code: what a mail server answered, if it did.
    """

    def __init__(self, reason: str, *, code: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
