"""Keeps the digits of filter values that no double has, before a body is read as JSON (rules/questions#filters)."""

import re
from typing import Final

from tallyroom.core.exact_numbers import find_exact_text

_NUMBER: Final = rb"-?[0-9][-+.eE0-9]*"
_VALUE_PATTERN: Final = re.compile(rb'"value"\s*:\s*(?:\[[^\[\]{}]*\]|' + _NUMBER + rb")")
_STRING_OR_NUMBER_PATTERN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|' + _NUMBER)
_MIN_LENGTH: Final = 6  # of 4e-324, the shortest such number


def quote_exact_values(body: bytes) -> bytes:
    """Return JSON with numbers in filter values as strings, which equal them, if their doubles have another value.

    Only filters have numbers in a field that is called `value`.
    """
    return _VALUE_PATTERN.sub(lambda match: _STRING_OR_NUMBER_PATTERN.sub(_quote_exact_number, match[0]), body)


def _quote_exact_number(match: "re.Match[bytes]") -> bytes:
    token = match[0]
    if token.startswith(b'"') or len(token) < _MIN_LENGTH:
        return token
    exact_text = find_exact_text(token.decode())
    return token if exact_text is None else b'"%s"' % exact_text.encode()
