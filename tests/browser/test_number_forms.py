"""The comparison of what pages show with what the API answers can say no."""

import pytest

from harness.browser.numbers import Told, agrees


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("12,007", 12_008, "exact"),
        ("12007", 12_007, "exact"),
        ("12k", 12_007, "exact"),
        ("0.3", 0.306, "exact"),
        ("1.94M", 1_946_000, "short"),
        ("0", None, "exact"),
        ("–", 0, "exact"),
        ("45.3 %", 0.4536, "share"),
        ("0 %", 0.0001, "share"),
        ("100 %", 0.9999, "share"),
        ("<1 %", 0.0, "whole"),
        ("31", 31, "change"),
        ("12nd", 12, "place"),
        ("61 min", 7_260, "length"),
    ],
)
def test_what_is_no_form_of_a_number_does_not_agree(text: str, value: float | None, form: str) -> None:
    assert not agrees(text, Told(value, form))
