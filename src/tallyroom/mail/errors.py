"""Why a notification did not reach anybody."""


class DeliveryDeferred(Exception):
    """The other side did not take it, but another attempt may succeed.

    Args:
        reason: for the log of the operator.
        smtp_code: what a mail server answered, if it did.
        retry_after_s: how many seconds the other side wants to be left alone, if it said so.
    """

    def __init__(self, reason: str, *, smtp_code: int | None = None, retry_after_s: int | None = None) -> None:
        super().__init__(reason)
        self.smtp_code = smtp_code
        self.retry_after_s = retry_after_s


class DeliveryRejected(Exception):
    """The other side refused it for good, or there is no way to it.

    Args:
        reason: for the log of the operator.
        smtp_code: what a mail server answered, if it did.
    """

    def __init__(self, reason: str, *, smtp_code: int | None = None) -> None:
        super().__init__(reason)
        self.smtp_code = smtp_code
