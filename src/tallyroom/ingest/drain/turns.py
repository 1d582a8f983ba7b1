"""Whose chunks go next, and when (rules/safety#fair-turns, docs/decisions/0038).

An insert costs the store 7 ms of work regardless of its size, so each kind of chunks rests between two claims. The
intervals were measured in docs/decisions/0003.
"""

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.storage.spool.lane import SHARED_LANE, AwaitedChunks, LaneMonth
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of
from tallyroom.storage.spool.waiting_chunks import MAX_CLAIM_BYTES, WaitingGroup

_REST_SECONDS = 0.45
_AWAITED_REST_SECONDS = 0.1
_MAX_UNGATHERED_COUNT = 4  # up to so many older groups are treated like those of the newest months
_MAX_GATHER_SECONDS = 5.0
_QUIET_SECONDS = 1.0  # without another chunk, there is nothing to gather
_AWAITED_GATHER_SECONDS = 2.0


class Turn(NamedTuple):
    """The group whose chunks go next; None if none is due for `rest_seconds`."""

    lane_month: LaneMonth | None
    rest_seconds: float


class _Seat(NamedTuple):
    lane: str
    is_newest: bool  # of the current and the last UTC month, later ones, and data that is not mapped yet


_FIRST_SEAT = _Seat(SHARED_LANE, is_newest=True)


class _Sighting(NamedTuple):
    last_id: int
    first_seen_at: float  # seconds of the clock, as all times here
    changed_at: float


class Turns:
    """The order of claims. Every second one may be of the small batches' newest months; the other seats take turns.

    A seat is the newest or the older months of a lane. Within a seat, the group with the oldest chunk goes first, so
    every group has its turn in bounded time. Older months are gathered while more than a few of them wait.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.is_rushing = False  # nothing rests anymore, because the drain is about to stop
        self._numbers = itertools.count()
        self._number_by_seat: dict[_Seat, int] = {}  # the lowest is next
        self._was_first_seat = False
        self._claimed_at_by_lane_month: dict[LaneMonth, float] = {}
        self._sighting_by_lane_month: dict[LaneMonth, _Sighting] = {}

    def find_turn(self, groups: Sequence[WaitingGroup], awaited: Collection[AwaitedChunks]) -> Turn:
        """Return whose turn it is among all waiting groups; `awaited` is what readers wait for."""
        now = self._clock.monotonic()
        first_newest_month = self._find_first_newest_month()
        seat_by_lane_month = {group.lane_month: _find_seat(group.lane_month, first_newest_month) for group in groups}
        self._look_at(groups, seat_by_lane_month.values(), now)
        is_gathering = sum(not seat.is_newest for seat in seat_by_lane_month.values()) > _MAX_UNGATHERED_COUNT
        rest_seconds_by_group = {
            group: self._find_due_time(
                group,
                is_gathered=is_gathering and not seat_by_lane_month[group.lane_month].is_newest,
                is_awaited=_is_awaited(group, awaited),
            )
            - now
            for group in groups
        }
        due_groups = [group for group, rest_seconds in rest_seconds_by_group.items() if rest_seconds <= 0]
        if not due_groups:
            return Turn(None, min(rest_seconds_by_group.values(), default=float("inf")))
        next_seat = self._find_next_seat({seat_by_lane_month[group.lane_month] for group in due_groups})
        seat_groups = [group for group in due_groups if seat_by_lane_month[group.lane_month] == next_seat]
        return Turn(min(seat_groups, key=lambda group: group.first_id).lane_month, 0)

    def note_claimed(self, lane_month: LaneMonth) -> None:
        """Record that the turn was taken."""
        now = self._clock.monotonic()
        seat = _find_seat(lane_month, self._find_first_newest_month())
        self._was_first_seat = seat == _FIRST_SEAT
        self._number_by_seat[seat] = next(self._numbers)
        self._claimed_at_by_lane_month = {
            other: claimed_at
            for other, claimed_at in self._claimed_at_by_lane_month.items()
            if now - claimed_at < _AWAITED_GATHER_SECONDS
        } | {lane_month: now}
        self._sighting_by_lane_month.pop(lane_month, None)

    def _look_at(self, groups: Iterable[WaitingGroup], seats: Iterable[_Seat], now: float) -> None:
        """Note since when groups wait and change; a new seat has its turn after the others."""
        sightings = {}
        for lane_month, _, last_id, _ in groups:
            sighting = self._sighting_by_lane_month.get(lane_month, _Sighting(last_id, now, now))
            sightings[lane_month] = (
                sighting if sighting.last_id == last_id else _Sighting(last_id, sighting.first_seen_at, now)
            )
        self._sighting_by_lane_month = sightings
        waiting_seats = dict.fromkeys(seats)
        self._number_by_seat = {seat: self._number_by_seat.get(seat, -1) for seat in waiting_seats}
        for seat in waiting_seats:
            if self._number_by_seat[seat] < 0:
                self._number_by_seat[seat] = next(self._numbers)

    def _find_due_time(self, group: WaitingGroup, *, is_gathered: bool, is_awaited: bool) -> float:
        if self.is_rushing or group.byte_count >= MAX_CLAIM_BYTES:
            return float("-inf")
        claimed_at = self._claimed_at_by_lane_month.get(group.lane_month, float("-inf"))
        if not is_gathered:
            return claimed_at + (_AWAITED_REST_SECONDS if is_awaited else _REST_SECONDS)
        sighting = self._sighting_by_lane_month[group.lane_month]
        gathered_at = min(sighting.first_seen_at + _MAX_GATHER_SECONDS, sighting.changed_at + _QUIET_SECONDS)
        return min(gathered_at, claimed_at + _AWAITED_GATHER_SECONDS) if is_awaited else gathered_at

    def _find_next_seat(self, due_seats: set[_Seat]) -> _Seat:
        other_seats = due_seats - {_FIRST_SEAT}
        if not other_seats or (_FIRST_SEAT in due_seats and not self._was_first_seat):
            return _FIRST_SEAT
        return min(other_seats, key=self._number_by_seat.__getitem__)

    def _find_first_newest_month(self) -> int:
        month = month_of(self._clock.now_ms())
        return month - 1 if month % 100 > 1 else month - 100 + 11


def _find_seat(lane_month: LaneMonth, first_newest_month: int) -> _Seat:
    lane, month = lane_month
    return _Seat(lane, is_newest=month == UNMAPPED_MONTH or month >= first_newest_month)


def _is_awaited(group: WaitingGroup, awaited: Iterable[AwaitedChunks]) -> bool:
    return any(group.first_id <= chunks.last_id and chunks.includes(group.lane_month) for chunks in awaited)
