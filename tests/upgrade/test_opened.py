"""A data directory of an earlier commit is opened, and all that it had is there."""

from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from upgrade.asking import ask, lost, questions
from upgrade.conftest import POSTGRESQL, SQLITE, Copy, Opened, mainly_on
from upgrade.content import BOTS, COUNTED, MEMBER, PRODUCTION, SPAN, VOTERS, WAITING
from upgrade.outside import serving
from upgrade.putting import signed

PRODUCTION_SPAN = {"environment": "production", **SPAN}


def exported(opened: Opened, environment: str) -> list[Any]:
    """All events of an environment."""
    found: list[Any] = ask(opened.url, opened.secrets, questions(opened.ids)[f"export of {environment}"])
    return found


def test_every_question_has_its_answer_of_before(opened: Opened) -> None:
    asked = questions(opened.ids)
    before = opened.facts["answers"]
    assert asked.keys() == before.keys()
    gone = {name: lost(before[name], ask(opened.url, opened.secrets, each)) for name, each in asked.items()}
    assert {name: lines for name, lines in gone.items() if lines} == {}


@pytest.mark.long
def test_each_event_is_there_once_also_what_waited_in_the_spool(opened: Opened) -> None:
    for name in ("production", "development"):
        assert Counter(event["name"] for event in exported(opened, name)) == COUNTED[name]
    times = {event["_timestamp"].replace("Z", ".000Z") for event in WAITING}
    assert times <= {event["_timestamp"] for event in exported(opened, "production")}
    assert opened.ask("/v1/usage")["used"] == COUNTED["used"]
    assert httpx.get(f"{opened.url}/readyz", timeout=60).status_code == 200


def test_numbers_beyond_two_to_the_53rd_keep_their_digits(opened: Opened) -> None:
    sent = sorted(event["properties"]["amount"] for event in [*PRODUCTION, *WAITING] if event["name"] == "order.placed")
    events = exported(opened, "production")
    assert sorted(e["properties"]["amount"] for e in events if e["name"] == "order.placed") == sent
    summed = {"event": "order.placed", "measure": "sum", "property": "amount"}
    body = {"type": "metric", "config": summed, **PRODUCTION_SPAN}
    assert opened.send("POST", "/v1/query", body).json()["value"] == float(f"{COUNTED['amount']:.15g}")


def test_an_actor_keeps_history_and_label(opened: Opened) -> None:
    actor = opened.ask("/v1/actors/ann", **PRODUCTION_SPAN)
    expected: Any = COUNTED["ann"]
    assert {name: actor[name] for name in expected} == expected
    assert len(actor["timeline"]) == expected["eventCount"]


@pytest.mark.long
def test_what_was_hidden_or_erased_stays_away(opened: Opened) -> None:
    hidden = opened.ask("/v1/events", **PRODUCTION_SPAN, hidden="true")["events"]
    assert sorted(event["id"] for event in hidden) == sorted(opened.ids["hidden"])
    assert len(hidden) == COUNTED["hidden"]
    events = exported(opened, "production")
    assert [event for event in events if event["properties"].get("path") == "/probe"] == []
    assert [event for event in events if event.get("_actor") == "erin"] == []
    assert opened.send("GET", "/v1/actors/erin", params=PRODUCTION_SPAN).status_code == 404


def test_a_board_is_public_if_it_was(opened: Opened) -> None:
    public = {
        name: opened.send("GET", f"/v1/public/dashboards/{opened.ids[name]}", who="") for name in ("slug", "old slug")
    }
    assert {name: answer.status_code for name, answer in public.items()} == {"slug": 200, "old slug": 404}
    path = f"/v1/public/dashboards/{opened.ids['slug']}/widgets/{opened.ids['widgets of public'][0]}/data"
    assert len(opened.send("POST", path, {}, who="").json()["rows"]) == COUNTED["production"]["order.placed"]  # type: ignore[index] # it is a table


def test_the_rows_of_tables_stay_public_on_boards_that_were_public_and_on_no_others(opened: Opened) -> None:
    """See rules/boards#published-rows."""
    published = {
        board: {
            (widget["type"], widget["publishRows"])
            for widget in opened.send("GET", f"/v1/dashboards/{opened.ids[board]}").json()["widgets"]
            if widget["publishRows"] or widget["type"] == "table"
        }
        for board in ("public", "private")
    }
    assert published == {"public": {("table", True)}, "private": {("table", False)}}
    assert opened.send("GET", f"/p/{opened.ids['slug']}", who="").status_code == 200


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        ("live", "/v1/key", 200),
        ("test", "/v1/key", 200),
        ("revoked", "/v1/key", 401),
        ("token", "/v1/dashboards", 200),
        ("limited", "/v1/segments", 200),
        ("limited", "/v1/usage", 403),
        ("expired", "/v1/dashboards", 401),
        ("session", "/v1/audit", 200),
        ("developer", "/v1/audit", 403),
        ("stats", f"/chat/bots/{BOTS[0]}", 200),
        ("feed", f"/chat/bots/{BOTS[0]}", 200),
    ],
)
def test_each_secret_opens_what_it_did(opened: Opened, who: str, path: str, status: int) -> None:
    assert opened.send("GET", path, who=who).status_code == status


def test_people_are_still_signed_in_and_can_sign_in(opened: Opened) -> None:
    cookie = {"cookie": f"tallyroom_session={opened.secrets['session']}"}
    assert opened.send("GET", "/v1/auth/me", who="", headers=cookie).status_code == 200
    for email, password in (("ann@example.com", "password"), (MEMBER, "developer password")):
        body = {"email": email, "password": opened.secrets[password]}
        assert opened.send("POST", "/v1/auth/login", body, who="").status_code == 200


@pytest.mark.long
@mainly_on(POSTGRESQL, SQLITE)
def test_a_repeated_request_is_answered_again_and_counts_once(copy: Copy) -> None:
    with serving(copy.data, copy.clock, copy.dsn) as server:
        opened = Opened(server, copy)
        for key, events in (("stored-batch", PRODUCTION), ("waiting-batch", WAITING[:1])):
            headers = {"idempotency-key": key}
            again = opened.send("POST", "/v1/events", {"events": events}, who="live", headers=headers)
            assert (again.status_code, again.json()) == (202, {"accepted": len(events)})
            assert again.headers["idempotent-replayed"] == "true"
            other = opened.send("POST", "/v1/events", {"events": WAITING[1:]}, who="live", headers=headers)
            assert other.status_code == 422
        assert opened.ask("/v1/usage")["used"] == COUNTED["used"]
        assert Counter(event["name"] for event in exported(opened, "production")) == COUNTED["production"]


@pytest.mark.long
@mainly_on(POSTGRESQL, SQLITE)
def test_bots_are_fed_on(copy: Copy) -> None:
    body = b'{"type":"vote.create","data":{"id":"1","weight":1,"created_at":"2026-11-20T08:02:00Z",'
    body += b'"user":{"platform_id":"%s"},"project":{"platform":"discord","platform_id":"%s"}}}' % (
        b"205680187394752599",
        BOTS[0].encode(),
    )
    with serving(copy.data, copy.clock, copy.dsn) as server:
        opened = Opened(server, copy)
        headers = signed(body, copy.clock.now_ms())
        answer = httpx.post(f"{server.url}/chat/bots/{BOTS[0]}/votes", content=body, headers=headers, timeout=60)
        assert (answer.status_code, answer.json()["counted"]) == (200, True)
        vote = {"userId": VOTERS[3], "timestamp": "2026-11-20T07:59:00Z"}
        again = opened.send("POST", f"/chat/bots/{BOTS[0]}/votes", vote, who="feed")
        assert again.json()["counted"] is False
        before = copy.facts["answers"][f"bot {BOTS[0]}"]["total_votes"]
        assert opened.ask(f"/chat/bots/{BOTS[0]}", "stats")["total_votes"] == before + 1


@pytest.mark.long
def test_it_is_opened_again_after_a_stop(copy: Copy, tmp_path: Path) -> None:
    for _ in range(2):
        with serving(copy.data, copy.clock, copy.dsn) as server:
            opened = Opened(server, copy)
            assert Counter(event["name"] for event in exported(opened, "production")) == COUNTED["production"]
            assert server.stop() == 0
    assert not list(tmp_path.glob("data/*.aside*"))
