import pytest
import re2

from tallyroom.engine import regex
from tallyroom.engine.regex import MAX_REGEX, MAX_WEIGHT, Wrong, first_wrong, for_store, is_regex, weight_of


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is compiled from now on; nothing is known from before."""
    found: list[str] = []
    compile_ = re2.compile

    def count(pattern: str, options: re2.Options) -> object:
        found.append(pattern)
        return compile_(pattern, options)

    is_regex.cache_clear()
    monkeypatch.setattr(regex.re2, "compile", count)
    return found


@pytest.mark.parametrize(
    "pattern", ["a", "", "^é?$", "a" * MAX_REGEX, r"\pL+", "(?s)a.b", r"\Q(", "[^a]{1000}", r"^[\pL\pN._-]{1,4}@\pL+$"]
)
def test_what_is_a_pattern(pattern: str) -> None:
    assert first_wrong([pattern]) is None


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
    assert first_wrong(["a", pattern, "("]) == Wrong(1, first_wrong([pattern]).reason)  # type: ignore[union-attr] # it is


@pytest.mark.parametrize(
    ("pattern", "weight"),
    [
        ("", 0),
        ("abc", 3),
        (r"a\.b", 3),
        ("[a-z0-9]", 1),
        ("[]a{9}]", 1),
        (r"[^\]a]", 1),
        ("[[:alpha:]]", 1),
        ("a{3}", 3),
        ("ab{3}", 4),
        ("a{2,5}", 5),
        ("a{2,}", 2),
        ("a{0}", 1),
        ("a{,5}", 5),
        ("a{x}", 4),
        ("(ab){3}", 6),
        ("(?:a(?P<name>b{2}c){3}){10}", 100),
        ("(?i)a", 1),
        (r"\pL", 101),
        (r"\p{Greek}x", 102),
        (r"[\pL\PN]", 201),
        (r"(?:[\pL\pN]?){150}", 30_300),
        ("a{1000}{1000}", 1_000_000),
        (")a{3}(", 4),
    ],
)
def test_the_weight_of_a_pattern(pattern: str, weight: int) -> None:
    assert weight_of(pattern) == weight


@pytest.mark.parametrize(
    "pattern", [r"(?:[\pL\pN]?){150}", r"\pL" * 300, "x{0,990}" * 2, "(?:x{0,990}){0}" * 60, r"\pL{900}", "(a{40}){30}"]
)
def test_a_pattern_that_is_costly_to_compile_is_refused_without_compiling_it(pattern: str, compiled: list[str]) -> None:
    wrong = first_wrong([pattern])
    assert wrong is not None
    assert wrong.reason.startswith("must have at most 1000 characters with all repetitions written out")
    assert compiled == []


def test_together_they_may_weigh_as_much_as_two(compiled: list[str]) -> None:
    many = [f"a{{900}}{at}" for at in range(160)]
    wrong = first_wrong(many)
    assert wrong is not None
    assert wrong.at == 2
    assert wrong.reason.startswith("is too much: the regular expressions of a request have at most 2000 characters")
    assert compiled == many[:2]


def test_a_pattern_that_stands_twice_counts_once(compiled: list[str]) -> None:
    assert first_wrong(["a" * MAX_REGEX, "b" * (MAX_WEIGHT - MAX_REGEX)] * 80) is None
    assert len(compiled) == 2


def test_after_a_wrong_one_none_is_compiled(compiled: list[str]) -> None:
    assert first_wrong(["a", "(", "b"]) == Wrong(1, "is not a regular expression (RE2)")
    assert compiled == ["a", "("]


def test_what_is_known_is_not_compiled_again(compiled: list[str]) -> None:
    for pattern in ("a", "("):
        first_wrong([pattern])
        first_wrong([pattern])
    assert compiled == ["a", "("]


def test_plain_patterns_go_as_they_are() -> None:
    assert for_store("(?i)^a?b") == "(?i)^a?b"


@pytest.mark.parametrize("pattern", ["é?", "(?i)É|a", r"\Qé", "^é"])
@pytest.mark.parametrize("text", ["", "a", "A", "é", "É", "aé"])
def test_what_is_put_before_a_pattern_changes_no_match(pattern: str, text: str) -> None:
    assert for_store(pattern) != pattern
    assert bool(re2.search(for_store(pattern), text)) == bool(re2.search(pattern, text))
