"""What the usage route answers."""

import msgspec


class UsageOut(msgspec.Struct, rename="camel"):
    """The events of a UTC month, `period`, as in 2026-11; `cap` may be null, `resetsAt` begins the next month."""

    plan: str
    period: str
    used: int
    cap: int | None
    resets_at: str
