"""Values of External widgets: fetched once a minute for everybody, and kept for when the source fails.

The rule: rules/boards#external-value.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from harness.servers.redis import RedisServer
from harness.stores.metadata import opened
from harness.stores.metadata_edits import put_beside, run_beside
from tallyroom.cluster.open_limits import open_limits
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.peers import NoPeers
from tallyroom.core.vault import Vault
from tallyroom.queries.external import ExternalReader, read_value
from tallyroom.queries.query_plan import FetchOutcome, FetchRequest
from tallyroom.storage.metadata.connection import Database

VAULT = Vault([Fernet.generate_key().decode()])
URL = "https://api.example.com/stats"
ACCEPT = {"Accept": "application/json"}


def fetch(**fields: Any) -> FetchRequest:
    return FetchRequest(**{"source_id": "s", "url": URL, "value_path": "value", "value_type": "number"} | fields)


def answer(body: bytes = b'{"value": 7}', status: int = 200, content_type: str = "application/json") -> OutboundAnswer:
    return OutboundAnswer(status=status, content_type=content_type, retry_after_seconds=None, body=body)


class Source(GuardedFetcher):
    """Answers what `answers` says, one after the other, the last for good."""

    def __init__(self) -> None:
        super().__init__(OutboundRules())
        self.answers: list[OutboundAnswer | FetchFailed] = [answer()]
        self.requests: list[OutboundRequest] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def send(self, request: OutboundRequest) -> OutboundAnswer:
        self.requests.append(request)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await self.may_answer.wait()
        if isinstance(found, FetchFailed):
            raise found
        return found


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
async def database(metadata: Path) -> AsyncIterator[Database]:
    database = opened(metadata)
    usual = {"name": "", "plan": "paid", "timezone": "UTC", "created_at_ms": 0}
    put_beside(metadata.parent, "workspaces", usual | {"id": "w"}, usual | {"id": "other"})
    put(metadata)
    yield database
    await database.close()


def put(metadata: Path, **fields: Any) -> None:
    """Store the source, with other values for some columns."""
    row = {"id": "s", "workspace_id": "w", "name": "n", "host": "api.example.com", "header_name": None}
    row |= {"token": None, "token_end": None, "created_at_ms": 0, "updated_at_ms": 0} | fields
    run_beside(metadata.parent, "DELETE FROM external_sources WHERE id = :id", row)
    put_beside(metadata.parent, "external_sources", row)


@pytest.fixture
def reader(database: Database, source: Source, fake_clock: Any) -> ExternalReader:
    return ExternalReader(database, VAULT, source, fake_clock)


async def test_a_value_is_kept_for_a_minute(reader: ExternalReader, source: Source, fake_clock: Any) -> None:
    first = await reader.fetch(fetch(), "w")
    assert first == FetchOutcome(value=7, fetched_at_ms=fake_clock.now_ms())
    source.answers = [answer(b'{"value": 8}')]
    fake_clock.advance(59)
    assert await reader.fetch(fetch(), "w") == first
    fake_clock.advance(2)
    assert (await reader.fetch(fetch(), "w")).value == 8
    assert [(each.url, each.headers) for each in source.requests] == [(URL, ACCEPT)] * 2


async def test_everybody_who_asks_at_once_shares_a_request(reader: ExternalReader, source: Source) -> None:
    source.may_answer.clear()
    source.answers = [answer(b'{"value": 7, "other": "x"}')]
    other = fetch(value_path="other", value_type="text")
    asked = [asyncio.create_task(reader.fetch(each, "w")) for each in (fetch(), fetch(), other)]
    for _ in range(100):
        await asyncio.sleep(0)
    source.may_answer.set()
    assert [each.value for each in await asyncio.gather(*asked)] == [7, 7, "x"]
    assert len(source.requests) == 1


async def test_what_is_kept_is_of_one_workspace_and_one_question(
    reader: ExternalReader, metadata: Path, source: Source
) -> None:
    put(metadata, id="t", workspace_id="other")
    questions = [fetch(), fetch(value_type="text"), fetch(value_path="@.value"), fetch(url=f"{URL}?a=b")]
    for _ in range(2):
        assert [(await reader.fetch(each, "w")).value for each in questions] == [7, "7", 7, 7]
    assert len(source.requests) == 4
    assert (await reader.fetch(fetch(source_id="t"), "other")).value == 7
    assert len(source.requests) == 5


@pytest.mark.parametrize(("source_id", "workspace"), [("none", "w"), ("s", "other"), ("", "w")])
async def test_a_source_that_is_not_the_workspaces(
    reader: ExternalReader, source: Source, source_id: str, workspace: str
) -> None:
    assert await reader.fetch(fetch(source_id=source_id), workspace) == FetchOutcome(
        error="The external source was deleted."
    )
    assert source.requests == []


async def test_a_source_that_moved_gets_nothing(reader: ExternalReader, metadata: Path, source: Source) -> None:
    put(metadata, host="elsewhere.example.com", token=VAULT.encrypt("secret"), updated_at_ms=1)
    for url in (URL, "https://elsewhere.example.com.evil.example/", "https://elsewhere.example.com:8443/"):
        found = await reader.fetch(fetch(url=url), "w")
        assert found == FetchOutcome(error="The URL is not on the host of the external source.")
    assert source.requests == []


@pytest.mark.parametrize(
    ("header", "headers"),
    [
        (None, {"Authorization": "Bearer secret"}),
        ("X-Key", {"X-Key": "secret"}),
        ("authorization", {"authorization": "secret"}),
    ],
)
async def test_the_token_is_sent_in_its_header(
    reader: ExternalReader, metadata: Path, source: Source, header: str | None, headers: dict[str, str]
) -> None:
    put(metadata, token=VAULT.encrypt("secret"), header_name=header)
    await reader.fetch(fetch(), "w")
    assert source.requests[0].headers == ACCEPT | headers


async def test_a_token_that_no_key_decrypts_is_a_reason(reader: ExternalReader, metadata: Path, source: Source) -> None:
    put(metadata, token=Vault([Fernet.generate_key().decode()]).encrypt("secret"))
    assert (await reader.fetch(fetch(), "w")).error == "The stored token cannot be read; set it again."
    assert source.requests == []


async def test_a_change_of_the_source_takes_effect_at_once(
    reader: ExternalReader, metadata: Path, source: Source
) -> None:
    await reader.fetch(fetch(), "w")
    put(metadata, token=VAULT.encrypt("new"), updated_at_ms=1)
    source.answers = [answer(b'{"value": 8}')]
    assert (await reader.fetch(fetch(), "w")).value == 8
    assert source.requests[1].headers == ACCEPT | {"Authorization": "Bearer new"}


async def test_the_last_value_stays_while_the_source_fails(
    reader: ExternalReader, source: Source, metadata: Path, fake_clock: Any
) -> None:
    first = await reader.fetch(fetch(), "w")
    fake_clock.advance(61)
    source.answers = [FetchFailed("The host did not respond within 5 seconds."), answer(b'{"value": 9}')]
    failed = FetchOutcome(
        value=7, fetched_at_ms=first.fetched_at_ms, error="The host did not respond within 5 seconds."
    )
    for _ in range(3):  # it is not asked again at once
        assert await reader.fetch(fetch(), "w") == failed
    assert len(source.requests) == 2
    fake_clock.advance(11)
    assert await reader.fetch(fetch(), "w") == FetchOutcome(value=9, fetched_at_ms=fake_clock.now_ms())


async def test_without_a_last_value_there_is_the_reason_alone(reader: ExternalReader, source: Source) -> None:
    source.answers = [answer(status=500)]
    assert await reader.fetch(fetch(), "w") == FetchOutcome(error="The source responded with HTTP 500.")


async def test_a_slow_source_holds_up_nobody_else(reader: ExternalReader, metadata: Path, source: Source) -> None:
    source.may_answer.clear()
    slow = [asyncio.create_task(reader.fetch(fetch(url=f"{URL}?{number}"), "w")) for number in range(20)]
    for _ in range(100):
        await asyncio.sleep(0)
    assert len(source.requests) == 8  # the others of this workspace wait for their turn
    put(metadata, id="t", workspace_id="other")
    other = asyncio.create_task(reader.fetch(fetch(source_id="t"), "other"))
    for _ in range(100):
        await asyncio.sleep(0)
    assert len(source.requests) == 9
    source.may_answer.set()
    assert [each.value for each in await asyncio.gather(*slow, other)] == [7] * 21


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"7", 7),
        (b"7.0", 7),
        (b"7.5", 7.5),
        (b"-1e3", -1000),
        (b"0", 0),
        (b'"7"', 7),
        (b'" 7.25 "', 7.25),
        (b'"-.5"', -0.5),
        (b'"1e3"', 1000),
        (b"9007199254740993", 9007199254740992.0),
    ],
)
def test_numbers(body: bytes, value: float) -> None:
    found = read_value(answer(b'{"value": ' + body + b"}"), fetch())
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'"x"', "x"),
        (b'""', ""),
        (b'"' + b"x" * 1000 + b'"', "x" * 1000),
        (b"7.5", "7.5"),
        (b"3.0", "3"),
        (b"true", "true"),
    ],
)
def test_texts(body: bytes, value: str) -> None:
    assert read_value(answer(b'{"value": ' + body + b"}"), fetch(value_type="text")) == value


@pytest.mark.parametrize(
    ("body", "why", "value_type"),
    [
        (b"", "not valid JSON", "text"),
        (b"{", "not valid JSON", "text"),
        (b"<html>", "not valid JSON", "text"),
        (b'{"value": "\xff"}', "not valid JSON", "text"),
        (b'{"value": NaN}', "not valid JSON", "number"),
        (b"[" * 100_000, "not valid JSON", "text"),
        (b"{}", "no value at valuePath", "text"),
        (b"[]", "no value at valuePath", "text"),
        (b'{"value": null}', "no value at valuePath", "text"),
        (b'{"value": []}', "a list or an object", "text"),
        (b'{"value": {}}', "a list or an object", "text"),
        (b'{"value": "' + b"x" * 1001 + b'"}', "more than 1000 characters", "text"),
        (b'{"value": true}', "not a number", "number"),
        (b'{"value": []}', "not a number", "number"),
        (b'{"value": "x"}', "not a number", "number"),
        (b'{"value": ""}', "not a number", "number"),
        (b'{"value": "nan"}', "not a number", "number"),
        (b'{"value": "inf"}', "not a number", "number"),
        (b'{"value": "1_000"}', "not a number", "number"),
        ('{"value": "٧"}'.encode(), "not a number", "number"),
        (b'{"value": "1e999"}', "too large", "number"),
        (b'{"value": 1' + b"0" * 400 + b"}", "(too large|not valid JSON)", "number"),
    ],
)
def test_answers_without_a_value(body: bytes, why: str, value_type: str) -> None:
    with pytest.raises(FetchFailed, match=why):
        read_value(answer(body), fetch(value_type=value_type))


@pytest.mark.parametrize("content_type", ["application/json", "application/problem+json", "application/vnd.api+json"])
def test_json_by_its_content_type(content_type: str) -> None:
    assert read_value(answer(content_type=content_type), fetch()) == 7


@pytest.mark.parametrize("content_type", ["", "text/html", "text/plain", "text/json", "application/jsonp", "json"])
def test_what_is_not_json_by_its_content_type(content_type: str) -> None:
    with pytest.raises(FetchFailed, match="its Content-Type is not application/json"):
        read_value(answer(content_type=content_type), fetch())


@pytest.mark.parametrize("status", [200, 201, 203, 299])
def test_statuses_of_an_answer(status: int) -> None:
    assert read_value(answer(status=status), fetch()) == 7


@pytest.mark.parametrize("status", [301, 302, 304, 307, 308])
def test_redirects(status: int) -> None:
    with pytest.raises(FetchFailed, match=f"HTTP {status}; redirects are not followed"):
        read_value(answer(status=status), fetch())


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503, 600, 999])
def test_statuses_without_a_value(status: int) -> None:
    with pytest.raises(FetchFailed, match=rf"The source responded with HTTP {status}\.$"):
        read_value(answer(status=status), fetch())


@pytest.fixture
async def two_readers(
    database: Database, source: Source, fake_clock: Any, own_redis: RedisServer
) -> AsyncIterator[list[ExternalReader]]:
    """Those of two workers."""
    limits = [open_limits(own_redis.dsn, fake_clock, NoPeers()) for _ in range(2)]
    yield [ExternalReader(database, VAULT, source, fake_clock, each.answer_cache()) for each in limits]
    for each in limits:
        await each.close()


async def test_a_value_is_the_same_at_all_workers(two_readers: list[ExternalReader], source: Source) -> None:
    source.answers = [answer(b'{"value": %d}' % number) for number in range(1, 9)]
    assert {(await reader.fetch(fetch(), "w")).value for reader in two_readers * 2} == {1}
    assert len(source.requests) == 1


async def test_workers_that_ask_for_one_url_at_once_share_a_request(
    two_readers: list[ExternalReader], source: Source
) -> None:
    source.answers = [answer(b'{"value": 7, "other": "x"}')]
    other = fetch(value_path="other", value_type="text")
    asked = [reader.fetch(each, "w") for reader, each in zip(two_readers, (fetch(), other), strict=True)]
    assert [each.value for each in await asyncio.gather(*asked)] == [7, "x"]
    assert len(source.requests) == 1


async def test_the_last_value_of_any_worker_is_shown_when_the_source_fails(
    two_readers: list[ExternalReader], source: Source, own_redis: RedisServer
) -> None:
    await two_readers[0].fetch(fetch(), "w")
    source.answers = [FetchFailed("It is away.")]
    with own_redis.client() as client:
        client.delete(*(key for key in client.keys("tallyroom:answer:*") if ":last" not in str(key)))
    outcomes = [await reader.fetch(fetch(), "w") for reader in reversed(two_readers)]
    assert {(outcome.value, outcome.error) for outcome in outcomes} == {(7, "It is away.")}
