"""What the doctor says of the servers that several workers share."""

from typing import Any

import pytest

from tallyroom.operations.doctor import servers
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.catalog import ColumnState
from tallyroom.storage.event_store.property_columns.column import PropertyColumn

PLAN = PropertyColumn("strings", "plan")
FORBIDDEN = StoreError("Code: 497. DB::Exception: tally: Not enough privileges. (ACCESS_DENIED)")


@pytest.mark.parametrize(
    ("reading", "state", "text"),
    [
        (
            ColumnState((PLAN,), {PLAN.name: frozenset({202610, 202611})}),
            "ok",
            "1: plan (strings); months that are not filled yet: 2",
        ),
        (FORBIDDEN, "warning", "lacks the right"),
        (StoreError("Code: 210. the server is away"), "broken", "away"),
    ],
)
def test_property_columns_of_a_server(monkeypatch: pytest.MonkeyPatch, reading: Any, state: str, text: str) -> None:
    def read(_: object) -> ColumnState:
        if isinstance(reading, StoreError):
            raise reading
        return ColumnState(*reading)

    monkeypatch.setattr(servers, "read_column_state", read)
    [finding] = servers.examine_property_columns(None)  # type: ignore[arg-type] # it is only handed on
    assert finding.state == state
    assert text in finding.text
