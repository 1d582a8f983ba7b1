"""The doctor's findings: one per line, in words, with what to do about it."""

from typing import Literal

import msgspec

FindingState = Literal["ok", "warning", "broken"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one check."""

    subject: str  # what was checked, in a word
    state: FindingState  # ``warning`` if nothing is lost but someone should look; ``broken`` if something is wrong
    text: str
    advice: str = ""  # what to do; empty if nothing has to be done


def report_ok(subject: str, text: str) -> Finding:
    """Report that all is well."""
    return Finding(subject, "ok", text)


def report_warning(subject: str, text: str, advice: str) -> Finding:
    """Report something that someone should look at."""
    return Finding(subject, "warning", text, advice)


def report_broken(subject: str, text: str, advice: str) -> Finding:
    """Report something that is wrong."""
    return Finding(subject, "broken", text, advice)
