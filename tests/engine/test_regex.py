import pytest
import re2

from tallyroom.engine.regex import MAX_REGEX, for_store, is_regex


@pytest.mark.parametrize("pattern", ["a", "", "^é?$", "a" * MAX_REGEX, r"\pL+", "(?s)a.b", r"\Q(", "[^a]{1000}"])
def test_what_is_a_pattern(pattern: str) -> None:
    assert is_regex(pattern)


@pytest.mark.parametrize("pattern", ["(", "a{1001}", "(?=a)", r"\1", "[b-a]", "a" * (MAX_REGEX + 1), r"\pL{900}"])
def test_what_is_none(pattern: str) -> None:
    assert not is_regex(pattern)


def test_plain_patterns_go_as_they_are() -> None:
    assert for_store("(?i)^a?b") == "(?i)^a?b"


@pytest.mark.parametrize("pattern", ["é?", "(?i)É|a", r"\Qé", "^é"])
@pytest.mark.parametrize("text", ["", "a", "A", "é", "É", "aé"])
def test_what_is_put_before_a_pattern_changes_no_match(pattern: str, text: str) -> None:
    assert for_store(pattern) != pattern
    assert bool(re2.search(for_store(pattern), text)) == bool(re2.search(pattern, text))
