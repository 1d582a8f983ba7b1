"""Numbers of an earlier commit answer as before until their months are filled, and then by their exact values."""

from collections import Counter
from typing import Any

import pytest

from harness.servers.command import tallyroom
from harness.suite.patience import wait_until
from upgrade.conftest import Copy, Opened
from upgrade.content import PRODUCTION, SPAN, WAITING
from upgrade.outside import serving, to_serve

SENT = [event["properties"]["amount"] for event in [*PRODUCTION, *WAITING] if event["name"] == "order.placed"]
EXACT = Counter(f"{amount:g}" if isinstance(amount, float) else str(amount) for amount in SENT)
BY_DOUBLE = Counter(f"{amount:g}" if isinstance(amount, float) else str(int(float(amount))) for amount in SENT)
LABELS = {"event": "order.placed", "measure": "count", "breakdown": "amount", "chart": "bar"}


def labels(opened: Opened) -> Counter[str]:
    body = {"type": "metric", "config": LABELS, "environment": "production", **SPAN}
    answer: Any = opened.send("POST", "/v1/query", body).json()
    return Counter({row["label"]: row["value"] for row in answer["rows"]})


@pytest.mark.parametrize(
    "death",
    [
        "columns.fill.begun",
        pytest.param("columns.fill.before", marks=pytest.mark.long),
        pytest.param("columns.fill.after", marks=pytest.mark.long),
    ],
)
def test_a_store_is_filled_after_its_worker_was_killed(copy: Copy, death: str) -> None:
    assert EXACT != BY_DOUBLE
    dying = to_serve(copy.data, copy.clock, copy.dsn, failpoints=f"{death}=kill").launch()
    assert dying.wait() == -9, dying.text()
    with serving(copy.data, copy.clock, copy.dsn, failpoints="columns.fill.before=block") as server:
        found = labels(Opened(server, copy))
        assert found in ([BY_DOUBLE] if death == "columns.fill.before" else [BY_DOUBLE, EXACT])
    copy.clock.set(copy.facts["ends_ms"] + 180_000)
    with serving(copy.data, copy.clock, copy.dsn) as server:
        wait_until(lambda: labels(Opened(server, copy)) == EXACT)
        report = tallyroom("doctor", "--quick", "--data", copy.data).stdout
        assert "left in which numbers" not in report, report
