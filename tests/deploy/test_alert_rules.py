"""deploy/alerts.yml and deploy/prometheus.yml: Prometheus reads each rule, each fires when it should and not before, and the server has its numbers."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from harness.clients.workspace import Workspace
from tallyroom.server.workers.gathered_metrics import merge_metrics

FILE = Path(__file__).parents[2] / "deploy" / "alerts.yml"
SCRAPE = FILE.with_name("prometheus.yml")
RULES: dict[str, dict[str, Any]] = {
    rule["alert"]: rule for rule in yaml.safe_load(FILE.read_text(encoding="utf-8"))["groups"][0]["rules"]
}
NAME = re.compile(r"\btallyroom_\w+")

FIRES = {
    "TallyroomStoreFails": {"tallyroom_store_failing": "1x70"},
    "TallyroomSpoolFills": {"tallyroom_spool_waiting_bytes": "1100000000x70"},
    "TallyroomDiskFills": {"tallyroom_disk_free_bytes": "3900000000x70"},
    "TallyroomRefusesEvents": {
        'tallyroom_http_responses_total{entry="/v1/events",status="503"}': "0+10x70",
        'tallyroom_http_responses_total{entry="/v1/events",status="202"}': "0+100x70",
    },
    "TallyroomFails": {'tallyroom_http_responses_total{entry="framework",status="500"}': "0x65 1x5"},
    "TallyroomStoreIsDamaged": {"tallyroom_store_damaged_parts": "0x69 1x1"},
    "TallyroomPutsEventsAside": {"tallyroom_events_dead_lettered_total": "0x40 1x30"},
    "TallyroomQueriesAreStuck": {"tallyroom_queries_stuck": "1x70"},
    "TallyroomQueriesWait": {"tallyroom_queries_waiting": "1x70"},
    "TallyroomJobsFail": {"tallyroom_jobs_failed_total": "0+1x70"},
    "TallyroomJobsAreLate": {"tallyroom_job_delay_seconds": "301x70"},
    "TallyroomAlertsHaveNoAnswer": {"tallyroom_alerts_failed_total": "0+1x70"},
    "TallyroomAlertsAreDelayed": {"tallyroom_alerts_delay_seconds": "601x70"},
    "TallyroomMessagesAreGivenUp": {"tallyroom_digest_mails_failed_total": "0x65 1x5"},
    "TallyroomLimitsAreAway": {"tallyroom_limits_away": "1x70"},
    "TallyroomClockIsOff": {"tallyroom_clock_ahead_seconds": "-1.1x70"},
    "TallyroomWorkerIsDown": {'tallyroom_worker_up{worker="1"}': "1x66 0x4", 'tallyroom_worker_up{worker="0"}': "1x70"},
    "TallyroomWorkerKeepsEnding": {'tallyroom_worker_restarts_total{worker="1"}': "2x60 3x2 4x2 5x2 6x4"},
    "TallyroomWorkerIsMissing": {'tallyroom_workers{spool="1"}': "4x50 3x20", 'tallyroom_workers{spool="2"}': "4x50"},
}
"""Numbers of 70 minutes, one a minute, after which the rule has just fired."""

QUIET = {
    "tallyroom_store_failing": "0x70",
    "tallyroom_spool_waiting_bytes": "900000000x70",
    "tallyroom_disk_free_bytes": "4100000000x70",
    'tallyroom_http_responses_total{entry="/v1/events",status="503"}': "0+4x70",
    'tallyroom_http_responses_total{entry="/v1/events",status="202"}': "0+100x70",
    'tallyroom_http_responses_total{entry="framework",status="500"}': "5x70",
    "tallyroom_store_damaged_parts": "0x70",
    "tallyroom_events_dead_lettered_total": "7x70",
    "tallyroom_queries_stuck": "0x69 1x1",
    "tallyroom_queries_waiting": "3x35 0x1 3x9 0x25",
    "tallyroom_jobs_failed_total": "2x40 3x30",
    "tallyroom_job_delay_seconds": "299x70",
    "tallyroom_alerts_failed_total": "9x70",
    "tallyroom_alerts_delay_seconds": "600x70",
    "tallyroom_digest_mails_failed_total": "1x70",
    "tallyroom_deliveries_failed_total": "1x70",
    "tallyroom_limits_away": "0x68 1x2",
    "tallyroom_clock_ahead_seconds": "0.9x60 -9x2 0.9x8",
    'tallyroom_worker_up{worker="1"}': "1x50 0x1 1x18 0x1",
    'tallyroom_worker_restarts_total{worker="1"}': "2x68 4x2",
    'tallyroom_workers{spool="1"}': "3x10 4x60",
    'tallyroom_workers{spool="2"}': "4x70",
}
"""A server that is well, and what just does not count."""


@pytest.fixture
def promtool() -> str:
    program = shutil.which("promtool")
    if program is None:
        if os.environ.get("REQUIRE_PROMTOOL") == "1":
            pytest.fail("promtool is not installed")
        pytest.skip("promtool is not installed")
    return program


def test_what_it_reads_is_what_a_server_tells(workspace: Workspace) -> None:
    httpx.get(f"{workspace.url}/healthz").raise_for_status()
    text = httpx.get(f"{workspace.url}/metrics").text + merge_metrics([], [("0", True, 0)]).decode()
    told = set(re.findall(r"^(tallyroom_\w+)", text, re.MULTILINE))
    assert {name for rule in RULES.values() for name in NAME.findall(rule["expr"])} - told == set()


def test_each_rule_says_what_is_wrong_and_for_whom() -> None:
    assert [name for name, rule in RULES.items() if not rule["annotations"]["summary"].endswith(".")] == []
    assert {rule["labels"]["severity"] for rule in RULES.values()} == {"page", "ticket"}


@pytest.mark.long
def test_each_rule_fires_when_it_should_and_not_before(promtool: str, tmp_path: Path) -> None:
    assert FIRES.keys() == RULES.keys()
    cases = [(name, series, [{}]) for name, series in FIRES.items()] + [(name, QUIET, []) for name in RULES]
    tests = [
        {
            "interval": "1m",
            "input_series": [{"series": each, "values": values} for each, values in series.items()],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})',
                    "eval_time": "70m",
                    "exp_samples": [{"labels": "{}", "value": 1} for _ in expected],
                }
            ],
        }
        for name, series, expected in cases
    ]
    file = tmp_path / "test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(FILE)], "evaluation_interval": "1m", "tests": tests}), "utf-8")
    done = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_finds_nothing_to_say(promtool: str) -> None:
    done = subprocess.run([promtool, "check", "rules", FILE], capture_output=True, text=True, check=False)
    assert f"SUCCESS: {len(RULES)} rules found" in done.stdout, done.stdout + done.stderr


def test_the_scrape_has_the_rules_and_the_token(promtool: str) -> None:
    done = subprocess.run(
        [promtool, "check", "config", "--syntax-only", SCRAPE], capture_output=True, text=True, check=False
    )
    assert "SUCCESS" in done.stdout, done.stdout + done.stderr
    scrape = yaml.safe_load(SCRAPE.read_text(encoding="utf-8"))
    assert scrape["rule_files"] == [FILE.name]
    assert scrape["scrape_configs"][0]["authorization"].keys() == {"credentials_file"}
