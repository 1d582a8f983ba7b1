"""Why a notification was not delivered."""


class DeliveryDeferred(Exception):
    """The other side did not accept it, but another attempt may succeed.

    `reason` is for the operator's log. `smtp_code` is the mail server's answer, if any. `retry_after_s` is how many
    seconds the other side asks to wait, if it does.
    """

    def __init__(self, reason: str, *, smtp_code: int | None = None, retry_after_s: int | None = None) -> None:
        super().__init__(reason)
        self.smtp_code = smtp_code
        self.retry_after_s = retry_after_s


class DeliveryRejected(Exception):
    """The other side refused it permanently, or cannot be reached at all. `reason` and `smtp_code` are as above."""

    def __init__(self, reason: str, *, smtp_code: int | None = None) -> None:
        super().__init__(reason)
        self.smtp_code = smtp_code
