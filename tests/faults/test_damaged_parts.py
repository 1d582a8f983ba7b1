"""Parts of the event store are damaged or gone: the server starts and says so (rules/safety#damaged-parts)."""

import shutil
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.servers.command import call
from harness.servers.site import MakeSite, Site
from harness.suite.patience import PATIENCE

PER_MONTH = 50
DAYS_BACK = (0, 33, 64)  # three months, and the last day


def fill(site: Site) -> None:
    now = datetime.now(UTC)
    for days in DAYS_BACK:
        times = [(now - timedelta(days=days, seconds=number)).isoformat() for number in range(PER_MONTH)]
        events = [{"name": "open", "_actor": f"a{n}", "_timestamp": at} for n, at in enumerate(times)]
        assert site.workspace.send({"events": events}).status_code == 202
    site.drained()


def parts(site: Site) -> list[Path]:
    """The parts of events, oldest month first."""
    folder = next(path.parent for path in site.data.glob("events/store/*/*/20*_*"))
    return sorted(folder.glob("20*_*"))


class Asker:
    """Asks what people ask, and says of how many events the answer is and whether it may miss some."""

    def __init__(self, site: Site, client: httpx.Client) -> None:
        self.client = client
        board = {"name": "Shown", "timeRange": "90d", "isPublic": True}
        self.board = client.post("/v1/dashboards", json=board).json()
        body = {"title": "Opened", "type": "metric", "config": {"event": "open", "measure": "count"}}
        self.widget = client.post(f"/v1/dashboards/{self.board['id']}/widgets", json=body).json()["id"]

    def query(self, time_range: str, kind: str = "metric", **config: Any) -> dict[str, Any]:
        body = {"environment": "production", "timeRange": time_range, "type": kind, "config": config}
        return self.ask("POST", "/v1/query", json=body)

    def count(self, time_range: str) -> tuple[int, bool]:
        answer = self.query(time_range, event="open", measure="count", compare=False)
        return answer["value"], is_incomplete(answer)

    def public(self) -> dict[str, Any]:
        return self.ask("POST", f"/v1/public/dashboards/{self.board['slug']}/widgets/{self.widget}/data")

    def ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        answer = self.client.request(method, path, **options)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def is_incomplete(answer: dict[str, Any]) -> bool:
    assert answer.get("notices") != [], "an empty list is left out"
    return [notice["code"] for notice in answer.get("notices", [])] == ["incomplete_data"]


@pytest.mark.long
def test_a_part_vanishes_between_stop_and_start(make_site: MakeSite) -> None:
    site = make_site().begin()
    fill(site)
    with site.workspace.client() as client:
        asker = Asker(site, client)
        assert [asker.count(each) for each in ("24h", "90d")] == [(PER_MONTH, False), (3 * PER_MONTH, False)]
        assert site.server.stop() == 0
        oldest, middle, _ = parts(site)
        shutil.rmtree(oldest)
        (middle / "data.bin").write_bytes(b"")
        site.start()

        ready = httpx.get(f"{site.server.url}/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "degraded")
        checks = ready.json()["checks"]
        assert f"events/{middle.name}: set aside (broken-on-start), 50 rows" in checks.pop("parts")
        assert set(checks.values()) == {"ok"}
        assert site.metric("store_damaged_parts") == 2
        assert '"damage": "events: missing, 50 rows' in site.server.text()

        assert asker.count("24h") == (PER_MONTH, False)
        assert asker.count("90d") == (PER_MONTH, True)
        assert site.workspace.send({"name": "open"}).status_code == 202, "ingest goes on"
        everything = [
            asker.query("24h", "retention", cohortEvent="open"),  # looks for newcomers in all time
            asker.query("90d", "kpi", items=[{"event": "open", "measure": "count"}]),
            asker.query("90d", "table", columns=["time"]),
            asker.public(),
            asker.public(),
            *[
                asker.ask("GET", path, params={"environment": "production", "timeRange": "90d"})
                for path in ("/v1/actors", "/v1/actors/a1", "/v1/events", "/v1/schema")
            ],
        ]
        assert all(map(is_incomplete, everything)), everything
        nothing = [
            asker.query("24h", "table", columns=["time"]),
            asker.query("90d", "note", text="Hello"),
            *[
                asker.ask("GET", path, params={"environment": "production", "timeRange": "24h"})
                for path in ("/v1/actors", "/v1/actors/a1", "/v1/events", "/v1/schema")
            ],
        ]
        assert not any(map(is_incomplete, nothing)), nothing
        exports = [
            client.get("/v1/export", params={"from": since}) for since in ("2020-01-01", f"{datetime.now(UTC):%F}")
        ]
        assert [each.headers.get("tallyroom-notice") for each in exports] == ["incomplete_data", None]

        doctor = call("doctor", "--data", site.data, "--quick")
        assert doctor.returncode == 1
        assert "100 are missing from the store" in doctor.stdout
        assert site.server.stop() == 0
        site.server.flags = ("--accept-loss",)
        site.start()
        assert httpx.get(f"{site.server.url}/readyz").json()["status"] == "ready"
        assert "the server continues without the missing data" in site.server.text()
        assert asker.count("90d") == (PER_MONTH + 1, False)
        assert not is_incomplete(asker.public())
        assert call("doctor", "--data", site.data, "--quick").returncode == 0


@pytest.mark.long
def test_a_bit_flips_while_the_server_runs(make_site: MakeSite) -> None:
    site = make_site().begin()
    fill(site)
    with site.workspace.client() as client:
        asker = Asker(site, client)
        data = parts(site)[-1] / "data.bin"
        content = bytearray(data.read_bytes())
        for place in range(len(content) // 8, len(content), len(content) // 8):
            content[place] ^= 0x55
        data.write_bytes(bytes(content))
        deadline = time.monotonic() + PATIENCE
        while not (answer := client.get("/v1/events", params={"timeRange": "90d"})).is_success:
            assert answer.status_code == 503, answer.text
            assert "damaged" in answer.json()["message"]
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert is_incomplete(answer.json())
        assert asker.count("90d") == (2 * PER_MONTH, True)
        assert httpx.get(f"{site.server.url}/readyz").json()["status"] == "degraded"
        assert "a damaged part was set aside" in site.server.text()
