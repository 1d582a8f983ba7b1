"""What in a text is an emoji, and that the program's own typeface has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.images.charts.drawing import Text
from tallyroom.images.charts.emoji import load_emoji_typeface, split_emoji
from tallyroom.images.charts.outlines import outline_text

JOINER, AS_EMOJI, AS_TEXT = "\u200d", "\ufe0f", "\ufe0e"
WOMAN, LAPTOP, ROCKET, REX = "\U0001f469", "\U0001f4bb", "\U0001f680", "\U0001f996"
TONE = "\U0001f3fd"
FLAG = "\U0001f1e9\U0001f1ea"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


def emoji(text: str) -> list[str]:
    return [piece.text for piece in split_emoji(text) if piece.glyph is not None]


@pytest.mark.parametrize(
    "one",
    [
        "\N{GRINNING FACE}",
        "\N{PARTY POPPER}",
        "\N{HOT BEVERAGE}",
        "\N{HOT BEVERAGE}" + AS_EMOJI,
        "\N{GRINNING FACE}" + AS_TEXT,
        "\N{HEAVY BLACK HEART}" + AS_EMOJI,
        "\N{COPYRIGHT SIGN}" + AS_EMOJI,
        "1" + AS_EMOJI + "\u20e3",
        "#\u20e3",
        "\U0001f44d" + TONE,
        WOMAN + TONE + JOINER + LAPTOP,
        WOMAN + JOINER + WOMAN + JOINER + "\U0001f467",
        "\U0001f3f4" + JOINER + "\N{SKULL AND CROSSBONES}" + AS_EMOJI,
        "\U0001f3f3" + AS_EMOJI + JOINER + "\U0001f308",
        FLAG,
        ENGLAND,
    ],
    ids=ascii,
)
def test_one_emoji_is_one_however_many_characters_it_has(one: str) -> None:
    assert emoji(one) == [one]
    assert emoji(f"a{one}1{one}{one} b") == [one] * 3
    assert "".join(piece.text for piece in split_emoji(f"a{one}1{one} b")) == f"a{one}1{one} b"


@pytest.mark.parametrize(
    "words",
    ["", "abc", "12 #1 *", "\N{COPYRIGHT SIGN} 2026", "日本 あ", "क्\u200dष", "e\u0301", "a" + AS_EMOJI, "x\u200d"],
)
def test_words_are_no_emoji(words: str) -> None:
    assert emoji(words) == []
    assert "".join(piece.text for piece in split_emoji(words)) == words


@pytest.mark.parametrize(
    ("together", "parts"),
    [
        (FLAG + "\U0001f1eb\U0001f1f7", 2),
        ("\U0001f1fd\U0001f1fd", 2),  # no country: its two letters
        (WOMAN + JOINER + REX, 2),  # nobody draws these together
        (REX + TONE, 1),  # it has no skin: the tone is left out
        ("\U0001f3f4\U000e0075\U000e0073\U000e007f", 1),  # no such flag: a flag
        (ROCKET + JOINER, 1),
        ("\u20e3", 1),
    ],
    ids=ascii,
)
def test_what_is_no_sequence_is_shown_by_its_parts(together: str, parts: int) -> None:
    assert len(emoji(together)) == parts
    assert "".join(piece.text for piece in split_emoji(together)) == together


def test_the_typeface_has_all_flags_and_keycaps_and_what_was_new_in_2025() -> None:
    typeface = load_emoji_typeface()
    pairs = [first for first, joined in typeface.sequences.items() if first.startswith("u1F1") and joined]
    assert len(pairs) == 26
    assert sum(len(typeface.sequences[first]) for first in pairs) >= 258
    for one in [*(f"{key}\u20e3" for key in "0123456789#*"), "\U0001fae9", "\U0001fadc", "\U0001fac6"]:
        assert emoji(one) == [one]


def test_an_emoji_is_drawn_in_the_color_of_its_words() -> None:
    shown = outline_text(Text(0, 20, "ok \N{GRINNING FACE}", 12, "muted", 100))
    assert shown is not None
    assert shown.count('class="muted"') == 2
    assert "<text" not in shown


def test_foreign_words_beside_an_emoji_stay_text_of_the_width_they_are_taken_to_have() -> None:
    shown = outline_text(Text(0, 20, "ok 日本\N{GRINNING FACE}", 10, "text", 100))
    assert shown is not None
    assert 'textLength="20.40"' in shown
    assert shown.count("<text") == 1
    assert "matrix(" in shown.split("</text>", 1)[1]


characters = st.one_of(
    st.characters(exclude_categories=["Cs"]),
    st.sampled_from(
        list(f"1#a {JOINER}{AS_EMOJI}{AS_TEXT}{WOMAN}{LAPTOP}{TONE}{FLAG}{ENGLAND}\u20e3\u0301\u00a9\u05d0日")
    ),
)


@given(st.text(characters, max_size=12))
def test_whatever_a_text_is_its_pieces_are_all_of_it(text: str) -> None:
    found = split_emoji(text)
    assert "".join(piece.text for piece in found) == text
    assert all(piece.text for piece in found)
    shown = outline_text(Text(0, 20, text, 12, "text", 100, anchor="middle"))
    assert shown is not None or not emoji(text)
