"""How wide words and emoji are, and where a text may be cut."""

import pytest

from tallyroom.images.charts.widths import exact_width, tabular_width, text_width, truncate

FACE = "\N{GRINNING FACE}"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"


@pytest.mark.parametrize("one", [FACE, FAMILY, FLAG, "1\ufe0f\u20e3", "\U0001f44d\U0001f3fd"], ids=ascii)
def test_an_emoji_is_as_wide_as_the_typeface_has_it(one: str) -> None:
    assert exact_width(one, 100) == pytest.approx(127, abs=0.5)
    assert exact_width(f"a{one}b", 100) == pytest.approx(127 + (exact_width("ab", 100) or 0), abs=0.5)
    assert text_width(one * 3, 100) == pytest.approx(3 * 127 * 1.02, abs=1.5)


def test_a_letter_of_another_typeface_has_no_exact_width() -> None:
    assert exact_width("日本", 100) is None
    assert exact_width(f"日本{FACE}", 100) is None
    assert text_width("日本", 100) == pytest.approx(204)


@pytest.mark.parametrize("one", [FACE, FAMILY, FLAG, "e\u0301"], ids=ascii)
def test_a_cut_never_goes_through_an_emoji_or_a_letter(one: str) -> None:
    for most in range(0, 900, 7):
        shown = truncate(one * 10, 50, most)
        assert not shown or shown == one * 10 or shown.removesuffix("…") == one * ((len(shown) - 1) // len(one))
        assert not shown or text_width(shown, 50) <= most


@pytest.mark.parametrize("bold", [False, True])
def test_tabular_digits_are_all_as_wide_as_the_widest(bold: bool) -> None:
    widths = {tabular_width(digit * 3, 100, bold=bold) for digit in "0123456789"}
    assert max(widths) == pytest.approx(min(widths))
    assert max(widths) == pytest.approx(max(text_width(digit * 3, 100, bold=bold) for digit in "0123456789"))
    assert tabular_width("k,%", 100, bold=bold) == text_width("k,%", 100, bold=bold)
