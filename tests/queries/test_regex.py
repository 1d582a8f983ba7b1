"""What is a pattern, what it may cost, and that it matches as RE2 does."""

import pytest
import re2

from tallyroom.queries.regex import MAX_REGEX, WrongPattern, find_wrong_pattern, to_store_pattern
from tallyroom.storage.event_store.regex_cost import MAX_STEPS, count_steps


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is compiled from now on; nothing is known from before."""
    found: list[str] = []
    compile_ = re2.compile

    def count(pattern: str, options: re2.Options) -> object:
        found.append(pattern)
        return compile_(pattern, options)

    count_steps.cache_clear()
    monkeypatch.setattr(re2, "compile", count)
    return found


@pytest.mark.parametrize(
    "pattern", ["a", "", "^é?$", "a" * MAX_REGEX, r"\pL+", "(?s)a.b", r"\Q(", "[^a]{900}", r"^[\pL\pN._-]{1,4}@\pL+$"]
)
def test_what_is_a_pattern(pattern: str) -> None:
    assert find_wrong_pattern([pattern]) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "[a",
        "a{1001}",
        "(?=a)",
        "(?<!a)b",
        r"(a)\1",
        r"\1",
        "[b-a]",
        "*",
        "\\",
        "a{2}{600}",
        "(((a{100}){100}){100})",
    ],
)
def test_what_is_none(pattern: str) -> None:
    assert find_wrong_pattern(["a", pattern, "("]) == WrongPattern(1, find_wrong_pattern([pattern]).reason)  # type: ignore[union-attr] # it is


@pytest.mark.parametrize("pattern", [r"\pL" * 300, "x{0,990}" * 20, "(?:x{0,990}){0}" * 60])
def test_a_pattern_that_is_costly_to_compile_is_refused_without_compiling_it(pattern: str, compiled: list[str]) -> None:
    wrong = find_wrong_pattern([pattern])
    assert wrong is not None
    assert wrong.reason.startswith(
        "is too large: a regular expression may have at most 8000 steps with all repetitions written out"
    )
    assert compiled == []


def test_together_they_may_have_as_many_steps_as_one(compiled: list[str]) -> None:
    many = [f"a{{900}}{at}" for at in range(160)]
    wrong = find_wrong_pattern(many)
    assert wrong is not None
    assert wrong.pattern_index == 8
    assert wrong.reason.startswith(
        "is too large with the others: the regular expressions of a request may together have at most 8000 steps"
    )
    assert compiled == many[:8]


def test_a_pattern_that_stands_twice_counts_once(compiled: list[str]) -> None:
    assert find_wrong_pattern(["a" * MAX_REGEX, "b" * MAX_REGEX] * 80) is None
    assert len(compiled) == 2


def test_after_a_wrong_one_none_is_compiled(compiled: list[str]) -> None:
    assert find_wrong_pattern(["a", "(", "b"]) == WrongPattern(1, "is not a regular expression (RE2)")
    assert compiled == ["a", "("]


def test_what_is_known_is_not_compiled_again(compiled: list[str]) -> None:
    for pattern in ("a", "("):
        find_wrong_pattern([pattern])
        find_wrong_pattern([pattern])
    assert compiled == ["a", "("]


def test_plain_patterns_go_as_they_are() -> None:
    assert to_store_pattern("(?i)^a?b") == "(?i)^a?b"


@pytest.mark.parametrize("pattern", ["é?", "(?i)É|a", r"\Qé", "^é"])
@pytest.mark.parametrize("text", ["", "a", "A", "é", "É", "aé"])
def test_what_is_put_before_a_pattern_changes_no_match(pattern: str, text: str) -> None:
    assert to_store_pattern(pattern) != pattern
    assert bool(re2.search(to_store_pattern(pattern), text)) == bool(re2.search(pattern, text))


def test_patterns_may_have_exactly_as_many_steps_as_allowed() -> None:
    patterns = [letter * 996 for letter in "abcdefgh"]
    assert sum(map(count_steps, map(to_store_pattern, patterns))) == MAX_STEPS
    assert find_wrong_pattern(patterns) is None
    wrong = find_wrong_pattern([*patterns[:-1], "h" * 997])
    assert wrong is not None
    assert (wrong.pattern_index, "together" in wrong.reason) == (7, True)
