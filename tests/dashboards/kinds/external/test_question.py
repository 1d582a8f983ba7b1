"""External widgets: what they take, and what members and the public see (rules/boards#external-widget)."""

import json
from ipaddress import ip_network
from typing import Any

import msgspec
import pytest

from harness.stores.questions import checked, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.dashboards.kinds.external.kind import EXTERNAL
from tallyroom.dashboards.kinds.external.question import check_source
from tallyroom.queries.query_plan import FetchOutcome, FetchRequest

CONFIG = {
    "sourceId": "s",
    "url": "https://api.example.com/stats",
    "valuePath": "results.0.value",
    "valueType": "number",
}


def answered(outcome: FetchOutcome) -> Any:
    query_plan = EXTERNAL.build_query_plan(checked(EXTERNAL, CONFIG), question())
    assert next(query_plan) == FetchRequest(
        source_id="s", url="https://api.example.com/stats", value_path="results.0.value", value_type="number"
    )
    with pytest.raises(StopIteration) as end:
        query_plan.send(outcome)
    return end.value.value


def shown(result: Any) -> Any:
    return json.loads(msgspec.json.encode(result))


def test_it_answers_with_what_was_fetched() -> None:
    answer = shown(answered(FetchOutcome(value=7, fetched_at_ms=1_795_176_000_000)))
    assert answer == {
        "kind": "external",
        "computedAt": "",
        "value": 7,
        "fetchedAt": "2026-11-20T12:00:00.000Z",
        "error": None,
    }


def test_the_public_sees_no_reason() -> None:
    result = answered(FetchOutcome(value=7, fetched_at_ms=0, error="The source responded with HTTP 500."))
    public = shown(EXTERNAL.build_public_result(checked(EXTERNAL, CONFIG), result, ()))
    assert public == shown(result) | {"error": "unavailable"}
    assert shown(result)["error"] == "The source responded with HTTP 500."
    fine = answered(FetchOutcome(value="x", fetched_at_ms=0))
    assert EXTERNAL.build_public_result(checked(EXTERNAL, CONFIG), fine, ()) == fine


def test_nothing_of_the_config_is_displayed_and_no_event_counts() -> None:
    config = checked(EXTERNAL, CONFIG)
    assert shown(EXTERNAL.build_display(config)) == {}
    assert EXTERNAL.find_covered_window(config, question()) is None


@pytest.mark.parametrize(
    ("changed", "at"),
    [
        ({"url": "ftp://api.example.com/"}, "url"),
        ({"url": "https://api.example.com@evil.example/"}, "url"),
        ({"url": "https://127.1/"}, "url"),
        ({"valuePath": "a["}, "valuePath"),
        ({"valuePath": "to_string(@)"}, "valuePath"),
    ],
)
def test_what_is_refused(changed: dict[str, str], at: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(EXTERNAL, CONFIG | changed)
    assert [detail.path for detail in refused.value.details] == [["config", at]]


ALLOWED = OutboundRules((ip_network("10.0.0.0/8"),))
PLAIN = OutboundRules((ip_network("10.0.0.0/8"),), allows_http=True)


@pytest.mark.parametrize(
    ("url", "host", "rules", "at"),
    [
        ("https://api.example.com/x", "api.example.com", OutboundRules(), None),
        ("https://API.example.com:443/x", "api.example.com", OutboundRules(), None),
        ("https://api.example.com/x", None, OutboundRules(), "sourceId"),
        ("https://api.example.com/x", "example.com", OutboundRules(), "url"),
        ("https://example.com/x", "api.example.com", OutboundRules(), "url"),
        ("https://api.example.com:8443/x", "api.example.com", ALLOWED, "url"),
        ("https://api.example.com:8443/x", "api.example.com:8443", ALLOWED, None),
        ("https://api.example.com:8443/x", "api.example.com:8443", OutboundRules(), "url"),
        ("http://api.example.com/x", "api.example.com", OutboundRules(), "url"),
        ("http://api.example.com/x", "api.example.com", ALLOWED, "url"),
        ("http://api.example.com/x", "api.example.com", PLAIN, None),
    ],
)
def test_the_url_is_on_the_host_of_the_source(url: str, host: str | None, rules: OutboundRules, at: str | None) -> None:
    config = checked(EXTERNAL, CONFIG | {"url": url})
    if at is None:
        check_source(config, host, rules)
        return
    with pytest.raises(ValidationFailed) as refused:
        check_source(config, host, rules)
    assert [detail.path for detail in refused.value.details] == [["config", at]]
