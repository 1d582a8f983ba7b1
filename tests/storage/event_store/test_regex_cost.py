"""The size of a regular expression cannot be cheated, and is known before it costs anything."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.storage.event_store.regex_cost import (
    MAX_STEPS,
    choose_max_block_rows,
    count_steps,
    estimate_steps,
    max_steps_per_byte,
)

SCATTERED = "[" + "".join(chr(0x100 + 3 * at) for at in range(480)) + "]"


def real_size(pattern: str) -> int:
    """As RE2 tells it when it may take 64 MB, which is more than the store lets it have."""
    options = re2.Options()
    options.log_errors, options.dot_nl, options.max_mem = False, True, 64 << 20
    return int(re2.compile(pattern, options).programsize)


@pytest.mark.parametrize(
    "pattern",
    [
        r".(?i){1000}" * 6,  # a group of flags pushes nothing: the count repeats what is before it
        r"\pL(?i){100}",
        r"(a|ā)" + r".(?i){1000}" * 6 + "Q",
        r"\Q[\E(?:[\pL\pN]?){60}]",  # what is quoted opens no class
        r"\Q(\E\pL{90}",
        SCATTERED + "{100}",
        SCATTERED + "{990}",
        r"(?:[\pL\pN]?){150}",
        r"\pL" * 300,
        "x{0,990}" * 2 * 50,
        "(?:x{0,990}){0}" * 60,
        ".{1000}.{1000}",
        "(?:(?:.?){30}){30}" * 3,
    ],
)
def test_no_way_to_write_it_makes_a_large_program_small(pattern: str) -> None:
    assert count_steps(pattern) > MAX_STEPS


@pytest.mark.parametrize("pattern", [r"\pL" * 21, "x{0,990}" * 9, "(?:x{0,990}){0}" * 60, r"\Q\p\E" * 100])
def test_what_would_take_long_to_compile_is_not_compiled(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count_steps.cache_clear()
    monkeypatch.setattr(re2, "compile", lambda *_: pytest.fail("it is compiled"))
    assert count_steps(pattern) > MAX_STEPS


@pytest.mark.parametrize(
    "pattern",
    [
        "a",
        "",
        "^é?$",
        "a" * 1000,
        r"\pL+",
        "(?i)a.b",
        r"\Q(",
        "[^a]{900}",
        r"^[\pL\pN._-]{1,4}@\pL+$",
        r"\x{1234}" * 90,
    ],
)
def test_what_people_write_fits(pattern: str) -> None:
    assert 0 < count_steps(pattern) <= MAX_STEPS


@pytest.mark.parametrize("pattern", ["(", "[a", "a{1001}", "(?=a)", r"(a)\1", "[b-a]", "*", "\\", "a{2}{600}"])
def test_what_is_no_regular_expression_has_no_size(pattern: str) -> None:
    assert count_steps(pattern) == 0


_atoms = st.sampled_from(
    [
        "a",
        "ā",
        ".",
        r"\pL",
        r"\PN",
        r"\p{Greek}",
        r"\d",
        r"\W",
        r"\C",
        "[^a]",
        "[a-zĀ-ž]",
        "[[:alpha:]]",
        "[[:^word:]]",
        r"[\pL\pN]",
        SCATTERED[:60] + "]",
        "(?i)",
        "(?s-i)",
        r"\Q[\E",
        r"\Q(a{9}",
        r"\E",
        "(",
        ")",
        "[",
        "]",
        "|",
        "^",
        r"\b",
        r"\x{1F600}",
        r"\{",
        "(?:",
        "(?i:",
        "(?P<n>",
        "é",
    ]
)
_counts = st.sampled_from(["", "", "*", "+?", "?", "{3}", "{0,40}", "{20,}", "{1000}", "{,5}", "{2}{3}", "(?i){100}"])
_pieces = st.tuples(_atoms, _counts).map("".join)
_patterns = st.recursive(
    st.lists(_pieces, min_size=1, max_size=8).map("".join),
    lambda inner: st.tuples(st.sampled_from(["(?:", "(", "(?i:"]), inner, _counts).map(
        lambda of: f"{of[0]}{of[1]}){of[2]}"
    ),
    max_leaves=6,
)


@given(_patterns)
def test_whatever_is_taken_has_the_size_that_is_told(pattern: str) -> None:
    steps = count_steps(pattern)
    if 0 < steps <= MAX_STEPS:
        assert steps == max(estimate_steps(pattern), real_size(pattern))


@pytest.mark.parametrize("pattern", [r"\\p.{400}", r"\Q\pL\E.{400}", r"\Q\\p\E.{400}", r"[\\p].{400}", r"\pL.{400}"])
def test_what_is_no_unicode_class_is_not_taken_for_a_cheap_one(pattern: str) -> None:
    assert max_steps_per_byte(pattern) >= count_steps(".{400}") - 1


@pytest.mark.parametrize(
    ("patterns", "rows"),
    [
        ([], None),
        (["a"], 256),
        (["a", "a"], 256),
        (["." * 100], 16),
        (["." * 1000], 2),
        ([r"^\pL"], 128),
        ([r"\pL{6}Q"], 32),
    ],
)
def test_the_larger_the_program_the_fewer_events_in_a_block(patterns: list[str], rows: int | None) -> None:
    assert choose_max_block_rows(patterns) == rows
