"""What the doctor says: one finding a line, in words, and what to do about it."""

from typing import Literal

import msgspec

State = Literal["ok", "warning", "broken"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was looked at.

    Attributes:
        subject: what, in a word.
        state: ``ok``; ``warning`` when nothing is lost but somebody should look; ``broken`` when something is wrong.
        text: how it is.
        advice: what to do; empty when there is nothing to do.
    """

    subject: str
    state: State
    text: str
    advice: str = ""


def fine(subject: str, text: str) -> Finding:
    """All is well."""
    return Finding(subject, "ok", text)


def doubtful(subject: str, text: str, advice: str) -> Finding:
    """Somebody should look."""
    return Finding(subject, "warning", text, advice)


def broken(subject: str, text: str, advice: str) -> Finding:
    """Something is wrong."""
    return Finding(subject, "broken", text, advice)


def size_text(size: int) -> str:
    """Bytes as a person reads them: ``79.2 GB``."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:  # noqa: PLR2004 # SI prefixes
            return f"{amount:,.0f} {unit}" if unit == "bytes" else f"{amount:,.1f} {unit}"
        amount /= 1000
    return f"{amount:,.1f} TB"
