"""The group list and the group detail equal a plain recount of random events (rules/actors-and-groups#group-detail)."""

import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from harness.oracles.groups import DAY, Oracle, plain, random_events
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, stay_behind
from harness.stores.metadata import opened
from harness.stores.questions import rolling_windows
from harness.suite.few import few
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.notices import NOT_UP_TO_DATE
from tallyroom.core.paging import encode_cursor
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.groups.schemas import GroupDetail, GroupList, GroupListPosition, ListedGroup
from tallyroom.events.groups.service import Groups, GroupsRequest
from tallyroom.storage.event_store.errors import StoreBehind
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Environment, GroupKey, Workspace


class Scene:
    """Random events of two environments and of another workspace."""

    def __init__(self, event_store: EventStore) -> None:
        one = fresh_scope()
        self.scopes = [one, Scope(one.workspace_id, "development"), fresh_scope()]
        rows = random_events(1, self.scopes, 900)
        for at in range(0, len(rows), 300):
            event_store.insert(rows[at : at + 300])
        self.oracles = [Oracle(rows, scope) for scope in self.scopes]


@pytest.fixture(scope="module")
def scene(event_store: EventStore) -> Scene:
    return Scene(event_store)


@pytest.fixture
async def database(new_metadata: Path, tmp_path: Path) -> AsyncIterator[Database]:
    database = opened(Path(shutil.copy2(new_metadata, tmp_path)))
    yield database
    await database.close()


class Asker:
    """Asks about the groups of one scope."""

    def __init__(self, groups: Groups, database: Database, scope: Scope) -> None:
        self.groups, self.database, self.scope = groups, database, scope
        self.principal = MemberPrincipal("u", scope.workspace_id, Role.VIEWER, "paid", b"")

    def asked(self, time_range: RollingRange, prop_key: str | None) -> GroupsRequest:
        environment = self.scope.environment
        return GroupsRequest(
            principal=self.principal, environment=environment, time_range=time_range, prop_key=prop_key
        )

    async def page(
        self,
        time_range: RollingRange = "7d",
        prop_key: str | None = None,
        *,
        limit: int = 200,
        q: str | None = None,
        cursor: str | None = None,
    ) -> GroupList:
        question = ActivityListQuestion(search_text=q or "")
        return await self.groups.list_groups(self.asked(time_range, prop_key), question, limit, cursor)

    async def find_group(self, group: str, time_range: RollingRange = "7d", prop_key: str | None = None) -> GroupDetail:
        return await self.groups.find_group(self.asked(time_range, prop_key), group)

    async def pages(self, time_range: RollingRange, limit: int, q: str | None) -> list[list[ListedGroup]]:
        pages, cursor = [], None
        while True:
            found = await self.page(time_range, limit=limit, q=q, cursor=cursor)
            pages.append(found.groups)
            cursor = found.next
            if cursor is None:
                return pages


async def asker_of(
    event_store: EventStore, database: Database, clock: Any, scope: Scope, keys: tuple[str, ...] = ("team", "Team")
) -> Asker:
    """Whoever asks, in a workspace with these group keys, the first of which is the default."""
    made = {"plan": "paid", "timezone": "UTC", "created_at_ms": 0}
    async with database.session(write=True) as db:
        db.add(Workspace(id=scope.workspace_id, name="Acme", **made))
        await db.flush()
        db.add(Environment(workspace_id=scope.workspace_id, name=scope.environment, created_at_ms=0))
        for at, key in enumerate(keys):
            owner = {"workspace_id": scope.workspace_id, "created_at_ms": at}
            db.add(GroupKey(id=f"{scope.workspace_id}-{at}", prop_key=key, label=key, is_default=at == 0, **owner))
    return Asker(Groups(event_store.reader, database, rolling_windows(event_store), clock), database, scope)


@pytest.fixture
async def asker(scene: Scene, event_store: EventStore, database: Database, fake_clock: Any) -> Asker:
    return await asker_of(event_store, database, fake_clock, scene.scopes[0])


@pytest.mark.long
@pytest.mark.parametrize("time_range", RANGE_DURATION_MS)
async def test_the_list_is_the_recount_in_every_range_and_of_each_workspace(
    scene: Scene, event_store: EventStore, database: Database, fake_clock: Any, time_range: RollingRange
) -> None:
    for scope, oracle in zip([scene.scopes[0], scene.scopes[2]], [scene.oracles[0], scene.oracles[2]], strict=True):
        asker = await asker_of(event_store, database, fake_clock, scope)
        for asked, prop_key in ((None, "team"), ("team", "team"), ("Team", "Team")):
            found = await asker.page(time_range, asked)
            assert (found.prop_key, found.groups, found.next) == (prop_key, oracle.groups(time_range, prop_key), None)


@few(2, "limit", [1, 3, 200])
@pytest.mark.parametrize("q", [None, "a"])
async def test_pages_are_full_and_together_the_whole_list(
    scene: Scene, asker: Asker, limit: int, q: str | None
) -> None:
    pages = await asker.pages("30d", limit, q)
    assert [row for page in pages for row in page] == scene.oracles[0].groups("30d", "team", q or "")
    assert all(len(page) == limit for page in pages[:-1])
    assert pages[-1]


@pytest.mark.parametrize("q", ["a", "AC", "É", "%", "_", "'", "\\", "😀", "nobody", "1", " ", ""])
async def test_q_finds_in_ids_without_regard_to_case(scene: Scene, asker: Asker, q: str) -> None:
    assert (await asker.page("90d", q=q)).groups == scene.oracles[0].groups("90d", "team", q)


@pytest.mark.long
@pytest.mark.parametrize("time_range", ["1h", "90d"])
async def test_the_detail_is_the_recount(scene: Scene, asker: Asker, time_range: RollingRange) -> None:
    groups = scene.oracles[0].groups(time_range, "team")
    assert groups
    for row in groups:
        found = await asker.find_group(row.group_key, time_range)
        assert plain(found) == scene.oracles[0].detail(time_range, "team", row.group_key)


@few(2, "group", ["", "nobody", "ACME", "acme ", "4.2", '["a"]', "false", "null", '{"a":"a"}', "b"])
async def test_what_is_no_group_is_not_found(asker: Asker, group: str) -> None:
    with pytest.raises(NotFound):
        await asker.find_group(group, "90d")


async def test_the_recent_events_are_the_newest_hundred(
    event_store: EventStore, database: Database, fake_clock: Any
) -> None:
    """Counted by hand: 250 events in two days of UTC; the 100 newest have the names of one of them, the types of both."""
    scope = fresh_scope()
    asker = await asker_of(event_store, database, fake_clock, scope)
    mine, other = b'{"team":"acme"}', b'{"team":"other"}'
    rows = [event(scope, f"old{n % 7}", properties=mine, timestamp_ms=NOW_MS - DAY + n) for n in range(120)]
    rows += [event(scope, f"new{n % 6}", properties=mine) for n in range(130)]  # in the same millisecond
    rows += [event(scope, "other", properties=other) for _ in range(50)]
    event_store.insert(rows)
    found = await asker.find_group("acme")
    assert [each.name for each in found.recent] == [f"new{n % 6}" for n in range(129, 29, -1)]
    assert (found.event_count, found.per_day) == (250, 125)
    # Of 0..129 there are 22 each of n % 6 in 0..3, and 21 of 4 and 5; of 0..119, 18 of n % 7 in 0, and 17 of the others.
    assert [(each.name, each.count) for each in found.event_types] == [
        ("new0", 22),
        ("new1", 22),
        ("new2", 22),
        ("new3", 22),
        ("new4", 21),
    ]


@few(2, ("per_days", "expected"), [([1], 1), ([2, 1], 2), ([3, 1, 1], 2), ([1, 1, 2], 1), ([4, 1], 3)])
async def test_per_day_is_rounded_half_up_over_active_days(
    event_store: EventStore, database: Database, fake_clock: Any, per_days: list[int], expected: int
) -> None:
    scope = fresh_scope()
    asker = await asker_of(event_store, database, fake_clock, scope)
    moments = [NOW_MS - 2 * day * DAY for day, events in enumerate(per_days) for _ in range(events)]
    event_store.insert([event(scope, properties=b'{"team":"a"}', timestamp_ms=moment) for moment in moments])
    assert (await asker.find_group("a", "30d")).per_day == expected


async def test_without_any_group_key_there_is_nothing(
    scene: Scene, event_store: EventStore, database: Database, fake_clock: Any
) -> None:
    asker = await asker_of(event_store, database, fake_clock, scene.scopes[0], ())
    for prop_key in (None, "team", "nonsense"):
        assert await asker.page("90d", prop_key) == GroupList(None, [], None)
        with pytest.raises(NotFound):
            await asker.find_group("a", "90d", prop_key)


@pytest.mark.parametrize("prop_key", ["TEAM", "server id", "", "prop:team"])
async def test_an_unregistered_property_is_refused(asker: Asker, prop_key: str) -> None:
    for attempt in (asker.page("90d", prop_key), asker.find_group("a", "90d", prop_key)):
        with pytest.raises(ValidationFailed) as refused:
            await attempt
        assert refused.value.details[0].path == ["propKey"]


async def test_pages_fit_together_while_events_come_in(
    event_store: EventStore, database: Database, fake_clock: Any
) -> None:
    scope = fresh_scope()
    asker = await asker_of(event_store, database, fake_clock, scope)
    event_store.insert([event(scope, properties=b'{"team":"t%d"}' % (n % 9)) for n in range(40)])
    whole = (await asker.page()).groups
    first = await asker.page(limit=4)
    fake_clock.advance(60)
    newcomers = [event(scope, properties=b'{"team":"new"}', timestamp_ms=NOW_MS + 30_000) for _ in range(99)]
    event_store.insert(newcomers)
    assert first.groups + (await asker.page(cursor=first.next)).groups == whole


async def test_a_cursor_is_good_for_its_own_question_only(asker: Asker) -> None:
    cursor = (await asker.page("90d", limit=1)).next
    assert cursor is not None
    assert (await asker.page("90d", "team", limit=1, cursor=cursor)).groups  # the default, by its name
    for other in (
        asker.page("30d", cursor=cursor),
        asker.page("90d", "Team", cursor=cursor),
        asker.page("90d", q="a", cursor=cursor),
        asker.page("90d", cursor="nonsense"),
    ):
        with pytest.raises(ValidationFailed) as refused:
            await other
        assert refused.value.details[0].path == ["cursor"]


@pytest.mark.parametrize("group", ["", "\0", "'", "{q:String}", "x" * 5000], ids=lambda group: ascii(group)[:20])
async def test_a_made_up_cursor_shows_nothing_of_anybody_else(scene: Scene, asker: Asker, group: str) -> None:
    question = ("groups", asker.scope.workspace_id, asker.scope.environment, "7d", "team")
    cursor_scope = (*question, *ActivityListQuestion().cursor_parts())
    found = await asker.page(cursor=encode_cursor(GroupListPosition(NOW_MS, 2**63 - 1, group, group), cursor_scope))
    assert found.groups == scene.oracles[0].groups("7d", "team")


@pytest.mark.long
async def test_pages_fit_together_whatever_the_ids(event_store: EventStore, database: Database, asker: Asker) -> None:
    """Also where ids are too long for a cursor, and differ where it does not look any more."""
    long = ["x" * 256 + end for end in ("", "a", "b", "a" * 60_000)] + ["\1" * 60_000, "é" * 257, "é" * 256, "x" * 255]
    rows = [event(asker.scope, properties=json.dumps({"Team": each}).encode()) for each in long * 2]
    event_store.insert([*rows, event(asker.scope, properties=json.dumps({"Team": long[1]}).encode())])
    whole = await asker.page("1h", "Team")
    found, cursor = list[ListedGroup](), None
    for _ in whole.groups:
        page = await asker.page("1h", "Team", limit=1, cursor=cursor)
        found += page.groups
        cursor = page.next
        assert len(cursor or "") <= 3000
    assert cursor is None
    assert found == whole.groups
    shown = [each.group_key for each in found if each.group_key in long]
    assert sorted(shown) == sorted(long)
    assert shown[0] == long[1]
    assert [each[:256] for each in shown[1:]] == sorted(each[:256] for each in shown[1:])


async def test_what_the_store_does_not_have_yet_is_not_denied(
    event_store: EventStore, database: Database, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store.reader, "wait_caught_up", stay_behind)
    scope = fresh_scope()
    event_store.insert([event(scope, properties=b'{"team":"x"}')])
    asker = await asker_of(event_store, database, fake_clock, scope)
    groups = asker.groups
    assert await groups.was_property_sent(scope.workspace_id, "team")
    with pytest.raises(StoreBehind):
        await groups.was_property_sent(scope.workspace_id, "other")
    assert await groups.find_candidate_keys(scope, []) == (["team"], [NOT_UP_TO_DATE])
    assert (await asker.find_group("x")).notices == [NOT_UP_TO_DATE]
    with pytest.raises(StoreBehind):
        await asker.find_group("y")


async def test_a_hidden_event_is_in_no_group_no_label_and_no_candidate(
    event_store: EventStore, database: Database, fake_clock: Any
) -> None:
    scope = fresh_scope()
    asker = await asker_of(event_store, database, fake_clock, scope)
    shown = event(scope, "shown", actor="ann", label="Ann", properties=b'{"team":"acme"}', timestamp_ms=NOW_MS - 1)
    hidden = event(scope, "hidden", actor="ann", label="Secret", properties=b'{"team":"acme","secret":"x"}')
    alone = event(scope, "alone", properties=b'{"team":"alone"}')
    event_store.insert([shown, hidden, alone])
    for row in (hidden, alone):
        assert event_store.hidden.hide(scope, EventPosition(row.timestamp_ms, row.spool, row.seq))
    assert (await asker.page()).groups == [ListedGroup("acme", 1, iso_ms(NOW_MS - 1), 1)]
    found = await asker.find_group("acme")
    assert (found.event_count, found.last_active) == (1, iso_ms(NOW_MS - 1))
    assert [(each.name, each.actor_label) for each in found.recent] == [("shown", "Ann")]
    with pytest.raises(NotFound):
        await asker.find_group("alone")
    assert await asker.groups.find_candidate_keys(scope, []) == (["team"], UNSET)
    assert not await asker.groups.was_property_sent(scope.workspace_id, "secret")
