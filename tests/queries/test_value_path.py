"""Where a value is in a JSON document, by dots or by JMESPath, within bounds (rules/boards#value-path)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.suite.examples import tries
from tallyroom.queries import value_path
from tallyroom.queries.value_path import FUNCTIONS, MAX_PATH_LENGTH, MAX_STEPS, PathWrong, check_path, find_value

DOCUMENT = {
    "results": [{"value": 3, "tags": ["a", "b"]}, {"value": 5, "tags": []}],
    "my-key": {"0": "zero", "ü": True},
    "count": 0,
    "none": None,
    "text": "x.y",
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("count", 0),
        ("results.0.value", 3),
        ("results.1.value", 5),
        ("results.0.tags.1", "b"),
        ("results.2.value", None),
        ("results.-1.value", None),
        ("results.value", None),
        ("results.0", {"value": 3, "tags": ["a", "b"]}),
        ("my-key.0", "zero"),
        ("my-key.ü", True),
        ("none", None),
        ("none.x", None),
        ("count.x", None),
        ("text.0", None),
        ("0", None),
        ("results[0].value", 3),
        ("results[-1].value", 5),
        ("results[*].value | [1]", 5),
        ("results[?value > `3`].value | [0]", 5),
        ("sum(results[].value)", 8),
        ("max([count, results[0].value])", 3),
        ("length(results)", 2),
        ('"my-key"."0"', "zero"),
        ("max_by(results, &value).value", 5),
        ("@.count", 0),
        ("absent || count", 0),
    ],
)
def test_what_a_path_leads_to(path: str, value: Any) -> None:
    check_path(path)
    found = find_value(DOCUMENT, path)
    assert (found, type(found)) == (value, type(value))


def test_a_list_is_the_whole_document() -> None:
    assert find_value([1, 2], "1") == 2
    assert find_value("text", "1") is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        *[
            (path, "is neither")
            for path in ("", ".", "a.", ".a", "a..b", "a b", "[", "a[", "a[0", "a(", "'a", "`", "$")
        ],
        ("a" * (MAX_PATH_LENGTH - 2) + "[0]", "at most 200"),
        *[(f"{name}(@)", "a function that is not one of") for name in ("to_string", "to_array", "unknown")],
        ("join(',', @)", "a function that is not one of"),
        ("[*].[merge(@, @)]", "a function that is not one of"),
        ("[a, b] | [a, b]", "more than one list or object"),
        ("{a: [@, @]}", "more than one list or object"),
    ],
)
def test_what_is_no_path(path: str, why: str) -> None:
    for refuse in (check_path, lambda text: find_value({}, text)):
        with pytest.raises(PathWrong, match=why):
            refuse(path)


def test_every_function_is_one_of_the_library() -> None:
    for name in FUNCTIONS:
        with pytest.raises(PathWrong, match="does not fit the response"):
            find_value({}, f"{name}()")


@pytest.mark.parametrize(
    "path", ["sum(text)", "abs(results)", "results[?value > 'x']", "sort([count, text])", "avg(@)"]
)
def test_an_expression_that_does_not_fit(path: str) -> None:
    check_path(path)
    with pytest.raises(PathWrong, match="does not fit the response"):
        find_value(DOCUMENT, path)


@pytest.fixture(scope="module")
def long() -> Any:
    return json.loads("[" + ",".join(["[1]"] * 200_000) + "]")


@pytest.mark.parametrize(
    "path",
    [
        "[*][*]" + "|[*][*]" * 27,
        "[]" + "|[?@]" * 30,
        "[].[@,@,@,@,@,@,@,@,@]",
        "map(&`[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]`, @)[]",
        "sort_by(@, &@[0])",
        "reverse(@)|reverse(@)",
    ],
)
def test_an_expression_ends_after_so_many_steps(long: Any, path: str) -> None:
    with pytest.raises(PathWrong, match=f"more than {MAX_STEPS} steps"):
        find_value(long, path)


@pytest.mark.parametrize(
    ("path", "document", "steps"),
    [
        ("@[0]", [1], 3),  # each part of the expression is a step
        ("[*]", [1, 2, 3], 5),  # and is taken again for each element
        ("[]", [[1, 2], 3], 3 + 2 + 2 + 3),  # both elements of the list and of the list in it, and the three found
        ("length(@)", {"a": 1, "b": 2, "c": 3}, 2 + 3),  # a function looks through what it is given
        ("reverse(@)", [1, 2, 3, 4], 2 + 4),
        ("length(@)", "a text counts once", 2),
    ],
)
def test_each_step_counts(monkeypatch: pytest.MonkeyPatch, path: str, document: Any, steps: int) -> None:
    monkeypatch.setattr(value_path, "MAX_STEPS", steps)
    find_value(document, path)
    monkeypatch.setattr(value_path, "MAX_STEPS", steps - 1)
    with pytest.raises(PathWrong, match=f"more than {steps - 1} steps"):
        find_value(document, path)


def test_a_path_may_have_exactly_as_many_characters_as_allowed() -> None:
    check_path("a" * (MAX_PATH_LENGTH - 3) + "[0]")


def test_brackets_in_brackets_are_no_trouble() -> None:
    for path in ("(" * 99 + "a" + ")" * 99, "!" * 199 + "a", "a" + "[0]" * 66, "&" * 199 + "a", "[" * 100 + "]" * 100):
        try:
            check_path(path)
            find_value({"a": [1]}, path)
        except PathWrong:
            pass


TOKENS = st.sampled_from(
    [
        *"abc.[]{}()*?@&!|<>=,:'`\"-+\\ 0123",
        "a",
        "results",
        "value",
        "[*]",
        "[?",
        "||",
        "&&",
        "==",
        "[]",
        ".*",
        "[0]",
        "[::-1]",
    ]
    + [f"{name}(" for name in sorted(FUNCTIONS)]
    + ["`1`", "`[1]`", "'x'", '"a"', "&@", "@)", "&value)", "results)", "null", "\n", "é", "\ud800"]
)


@pytest.mark.long
@given(st.lists(TOKENS, min_size=1, max_size=30).map("".join))
@tries(8000)
@pytest.mark.filterwarnings("ignore:deprecated string literal syntax")
def test_any_text_leads_to_a_value_or_is_refused(path: str) -> None:
    try:
        check_path(path)
        find_value(DOCUMENT, path)
    except PathWrong:
        pass
