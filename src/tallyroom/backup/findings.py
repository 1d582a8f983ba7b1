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
