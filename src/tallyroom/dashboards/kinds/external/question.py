"""External: one value that is fetched from an external source (rules/boards#external-widget)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.fetch.url import MAX_URL_LENGTH, UrlRefused, read_url
from tallyroom.core.times import iso_ms
from tallyroom.queries.config import Config, Result
from tallyroom.queries.kind import Path
from tallyroom.queries.query_plan import FetchOutcome, FetchRequest, QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.value_path import MAX_PATH_LENGTH, PathWrong, check_path
from tallyroom.queries.values import Value

UNAVAILABLE = "unavailable"  # what the public sees instead of the reason


class ExternalConfig(Config, frozen=True, kw_only=True, rename="camel"):
    """What to fetch, and where the value is in the answer."""

    source_id: Annotated[str, Meta(min_length=1, max_length=64)]
    url: Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
    value_path: Annotated[str, Meta(min_length=1, max_length=MAX_PATH_LENGTH)]
    value_type: Literal["number", "text"]


class External(Result, tag="external", kw_only=True, rename="camel"):
    """The value and when it was fetched; with an `error`, the last known value, if any."""

    value: Value | str
    fetched_at: str | None
    error: str | None


def check_config(config: ExternalConfig, path: Path) -> None:
    """Refuse a URL or a path that is not valid."""
    try:
        read_url(config.url)
    except UrlRefused as error:
        raise ValidationFailed.at([*path, "url"], error.reason) from error
    try:
        check_path(config.value_path)
    except PathWrong as error:
        raise ValidationFailed.at([*path, "valuePath"], str(error)) from error


def check_source(config: ExternalConfig, host: str | None, outbound_rules: OutboundRules) -> None:
    """Raise `ValidationFailed` unless the URL is on `host`, the host of its source, which is None without a source."""
    if host is None:
        raise ValidationFailed.at(["config", "sourceId"], "is not an external source of this workspace")
    url = read_url(config.url)
    if url.authority != host:
        raise ValidationFailed.at(["config", "url"], f"must be on the host of its source, {host}")
    try:
        outbound_rules.check(url)
    except UrlRefused as error:
        raise ValidationFailed.at(["config", "url"], error.reason) from error


def build_query_plan(config: ExternalConfig, _question: Question) -> QueryPlan[External]:
    """Fetch the value."""
    outcome: FetchOutcome = yield FetchRequest(
        source_id=config.source_id, url=config.url, value_path=config.value_path, value_type=config.value_type
    )
    fetched_at = None if outcome.fetched_at_ms is None else iso_ms(outcome.fetched_at_ms)
    return External(value=outcome.value, fetched_at=fetched_at, error=outcome.error)


def build_public_result(_config: ExternalConfig, result: External, _group_keys: Any) -> External:
    """Remove the reason for a missing value, which may reveal something about the source."""
    return msgspec.structs.replace(result, error=result.error and UNAVAILABLE)
