"""Which pages are asked for, and which part of an answer is which field."""

from typing import Any

import pytest

from tallyroom.import_export.collect.spec import CollectSpec, Paging, SpecWrong, check_spec, compile_extractor


def spec(source: str = "http://a/", ids: tuple[str, ...] = (), **fields: str) -> CollectSpec:
    found = {name: compile_extractor("--field", expression) for name, expression in fields.items()}
    return CollectSpec(source, ids, compile_extractor("--items", "@"), found, Paging(), 10)


def test_the_parameters_of_a_page() -> None:
    assert Paging().build_query(200, 2) == {}
    assert Paging("offset", "bots", 0, "limit", 100).build_query(170, 2) == {"offset": "170", "limit": "100"}
    assert Paging("page", "pages", 1).build_query(170, 2) == {"page": "3"}


def test_fields_have_their_own_names_unless_an_expression_finds_them() -> None:
    bot = {"id": 1, "clientid": 2, "name": "a", "stats": {"servers": 5}, "lib": None, "color": "red", "time": "t"}
    assert spec().extract_fields(bot) == {"id": 1, "name": "a", "time": "t"}
    mapped = spec(id="clientid", server_count="stats.servers", name="missing", tags="[color]")
    assert mapped.extract_fields(bot) == {"id": 2, "server_count": 5, "tags": ["red"], "time": "t"}


@pytest.mark.parametrize("expression", ["", "a b", "a[", "nosuch(@)"])
def test_an_expression_that_is_none(expression: str) -> None:
    with pytest.raises(SpecWrong, match=r"^--field"):
        spec(name=expression).extract_fields({})


def test_an_expression_that_does_not_fit() -> None:
    with pytest.raises(SpecWrong, match="does not fit the response"):
        spec(name="join('', n)").extract_fields({"n": 5})


@pytest.mark.parametrize(
    "wrong",
    [spec(ids=("1",)), spec("http://a/{id}"), spec(color="a"), spec(userId="a")],
)
def test_what_cannot_be_done(wrong: CollectSpec) -> None:
    with pytest.raises(SpecWrong):
        check_spec(wrong)


@pytest.mark.parametrize("right", [spec(), spec("http://a/{id}", ("1", "2")), spec(timestamp="a", id="b")])
def test_what_can_be_done(right: Any) -> None:
    check_spec(right)
