"""Every page of a source once, and the rows of whole pages alone."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.collect.fetch import SourceFailed, SourceNotFound
from tallyroom.import_export.collect.pull import BotPull
from tallyroom.import_export.collect.spec import CollectSpec, PageUnit, Paging, compile_extractor

NOW_MS = 1_795_176_000_000
ONE_PAGE = Paging()
NOON = "2026-11-20T12:00:00.000Z"
FIRST_ID = 583_807_014_896_140_293


def bots(count: int) -> list[dict[str, Any]]:
    return [{"id": str(FIRST_ID + number), "server_count": number} for number in range(count)]


class Source:
    """Stands in for `Fetcher`: a list of bots, cut as it is asked for.

    Args:
        answer: of a question's address and parameters.
    """

    def __init__(self, answer: Callable[[str, Mapping[str, str]], Any]) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._answer = answer

    def get_json(self, address: str, query: Mapping[str, str]) -> Any:
        self.asked.append((address, dict(query)))
        return self._answer(address, query)


def spec(
    paging: Paging = ONE_PAGE,
    *,
    source: str = "http://a/b?key=1",
    ids: tuple[str, ...] = (),
    most: int = 1000,
    items: str = "@",
    **fields: str,
) -> CollectSpec:
    return CollectSpec(
        source,
        ids,
        compile_extractor("--items", items),
        {name: compile_extractor("--field", path) for name, path in fields.items()},
        paging,
        most,
    )


def pulled(asked: CollectSpec, source: Source) -> tuple[list[dict[str, Any]], list[str], str | None]:
    """What would be sent, why others are left out, and why the pull broke off."""
    pull = BotPull(asked, source, NOW_MS)  # type: ignore[arg-type] # all that it asks of a source
    rows = list(pull.iter_rows())
    sent = [json.loads(row.item_json) for row in rows if isinstance(row, SentRow)]
    problem = None if pull.error is None else pull.error.message
    return sent, [row.reason for row in rows if not isinstance(row, SentRow)], problem


def test_all_bots_of_a_pull_share_its_moment() -> None:
    sent, left_out, problem = pulled(spec(items="data"), Source(lambda *_: {"data": bots(3)}))
    assert sent == [bot | {"timestamp": NOON} for bot in bots(3)]
    assert (left_out, problem) == ([], None)


@pytest.mark.parametrize(
    ("fields", "told", "moment"),
    [
        ({}, {"timestamp": "2026-11-20T11:00:00Z"}, "2026-11-20T11:00:00Z"),
        ({}, {"unix_timestamp": "1795172400000"}, "2026-11-20T11:00:00.000Z"),
        ({"timestamp": "seen.at"}, {"seen": {"at": 1795172400}, "time": "2026-11-01"}, "2026-11-20T11:00:00.000Z"),
        ({}, {"timestamp": "2999-01-01T00:00:00Z"}, NOON),
        ({}, {"timestamp": "soon"}, NOON),
        ({}, {"timestamp": None}, NOON),
    ],
)
def test_unless_the_source_tells_the_moment(fields: dict[str, Any], told: dict[str, Any], moment: str) -> None:
    [row], _, _ = pulled(spec(**fields), Source(lambda *_: [bots(1)[0] | told]))
    assert row["timestamp"] == moment


def test_a_profile_alone_has_no_moment() -> None:
    sent, _, _ = pulled(spec(), Source(lambda *_: [{"id": str(FIRST_ID), "name": "a"}]))
    assert sent == [{"id": str(FIRST_ID), "name": "a"}]


@pytest.mark.parametrize(("counts", "begins"), [("bots", ["0", "4", "8", "10"]), ("pages", ["0", "1", "2", "3"])])
def test_pages_until_one_is_empty(counts: PageUnit, begins: list[str]) -> None:
    def answer(_: str, query: Mapping[str, str]) -> Any:
        start = int(query["at"]) * (4 if counts == "pages" else 1)
        return bots(10)[start : start + 4]

    source = Source(answer)
    sent, _, problem = pulled(spec(Paging("at", counts, 0, "limit", 4)), source)
    assert [row["server_count"] for row in sent] == list(range(10))
    assert source.asked == [("http://a/b?key=1", {"at": begin, "limit": "4"}) for begin in begins]
    assert problem is None


def test_a_source_that_gives_smaller_pages_than_asked_for_loses_none() -> None:
    source = Source(lambda _, query: bots(10)[int(query["at"]) : int(query["at"]) + 3])
    sent, _, _ = pulled(spec(Paging("at", "bots", 0, "limit", 100)), source)
    assert [row["server_count"] for row in sent] == list(range(10))


def test_a_source_that_repeats_its_last_page_for_ever() -> None:
    source = Source(lambda *_: bots(3))
    sent, _, problem = pulled(spec(Paging("at")), source)
    assert (len(sent), len(source.asked), problem) == (3, 2, None)


@pytest.mark.parametrize("end", [[], None])
def test_an_end(end: Any) -> None:
    sent, _, problem = pulled(spec(Paging("at")), Source(lambda _, query: bots(2) if query["at"] == "0" else end))
    assert (len(sent), problem) == (2, None)


def test_no_more_than_the_most() -> None:
    source = Source(lambda _, query: bots(100)[int(query["at"]) : int(query["at"]) + 4])
    sent, _, _ = pulled(spec(Paging("at"), most=6), source)
    assert (len(sent), len(source.asked)) == (6, 2)


@pytest.mark.parametrize("answer", [None, {}, {"data": {}}, "text", 5])
def test_an_answer_without_a_list(answer: Any) -> None:
    sent, _, problem = pulled(spec(items="data"), Source(lambda *_: answer))
    assert (sent, problem) == ([], "The response from http://a/b has no list of bots at --items.")


def test_bots_that_are_none_are_left_out() -> None:
    listed = [bots(1)[0], {"id": "12", "name": "x"}, {"name": "y"}, "text", None]
    sent, left_out, problem = pulled(spec(), Source(lambda *_: listed))
    assert len(sent) == 1
    assert left_out == [
        "id: '12' is not 17 to 19 digits",
        "id: nothing is not 17 to 19 digits",
        "is not a JSON object",
        "is not a JSON object",
    ]
    assert problem is None


def test_a_pull_that_breaks_off_gives_whole_pages() -> None:
    def answer(_: str, query: Mapping[str, str]) -> Any:
        if query["at"] == "4":
            raise SourceFailed("gone")
        return bots(10)[int(query["at"]) : int(query["at"]) + 2]

    sent, _, problem = pulled(spec(Paging("at")), Source(answer))
    assert [row["server_count"] for row in sent] == [0, 1, 2, 3]
    assert problem == "gone"


def test_a_page_with_a_bot_that_an_expression_does_not_fit_is_no_whole_page() -> None:
    listed = [{"id": str(FIRST_ID), "n": ["a"]}, {"id": str(FIRST_ID), "n": 5}]
    sent, _, problem = pulled(spec(name="join('', n)"), Source(lambda *_: listed))
    assert (sent, problem is not None) == ([], True)


def test_single_bots() -> None:
    def answer(address: str, _: Mapping[str, str]) -> Any:
        if address.endswith("/2"):
            raise SourceNotFound("http://a/2 responded with 404.")
        return {"data": {"server_count": 5} | ({"id": "7"} if address.endswith("/3") else {})}

    ids = (str(FIRST_ID), "2", "3", "a/b", str(FIRST_ID + 1))
    source = Source(answer)
    sent, left_out, problem = pulled(spec(source="http://a/{id}", ids=ids, items="data"), source)
    assert [row["id"] for row in sent] == [str(FIRST_ID), str(FIRST_ID + 1)]
    assert left_out[0] == "2: http://a/2 responded with 404."
    assert (len(left_out), problem) == (3, None)
    assert [address for address, _ in source.asked][3] == "http://a/a%2Fb"
