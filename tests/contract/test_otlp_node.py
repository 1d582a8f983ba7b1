"""The Node exporters as they are published, in JSON and protobuf, against a real server (rules/events#otlp-events)."""

import json
import os
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from harness.clients.telemetry import events
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.suite.few import few

NODE = Path(__file__).parents[1] / "node"


@pytest.fixture
def workspace(server: Server) -> Workspace:
    return sign_up(server.url)


def exported(workspace: Workspace, protocol: str, compression: str) -> dict[str, str]:
    """What the script says of the time ranges that it sent."""
    environment = os.environ | {
        "OTEL_EXPORTER_OTLP_ENDPOINT": workspace.url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer {workspace.key},x-forwarded-for={workspace.ip}",
    }
    command = ["node", str(NODE / "export.js"), protocol, compression]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    ids: dict[str, str] = json.loads(done.stdout)
    return ids


@few(1, ("protocol", "compression"), product(["http", "proto"], ["none", "gzip"]))
def test_all_three_signals(workspace: Workspace, protocol: str, compression: str) -> None:
    ids = exported(workspace, protocol, compression)
    found = events(workspace)
    assert {event["source"] for event in found} == {"node-shop"}
    named: dict[str, dict[str, Any]] = {event["name"]: event for event in found}
    assert sorted(named) == sorted(["GET /cart", "cache.miss", "SELECT", "WARN", "INFO", "orders", "load", "latency"])
    assert len(found) == len(named)
    actors = {name: event["actorKey"] for name, event in named.items() if event["actorKey"]}
    assert actors == {"GET /cart": "ann", "cache.miss": "ann", "WARN": "ben", "orders": "ann"}
    properties = {name: event["properties"] for name, event in named.items()}
    assert properties["GET /cart"]["big"] == 2**53 - 1
    assert properties["GET /cart"]["otel.span.kind"] == "server"
    assert properties["cache.miss"]["key"] == "cart"
    assert properties["SELECT"]["tags"] == ["a", "b"]
    assert properties["SELECT"]["otel.status.message"] == "late"
    assert properties["SELECT"]["otel.parent_span_id"] == ids["parent"] == properties["GET /cart"]["otel.span_id"]
    assert properties["SELECT"]["otel.trace_id"] == ids["traceId"] == properties["cache.miss"]["otel.trace_id"]
    assert properties["WARN"]["otel.body"] == {"message": "slow", "ms": 900}
    assert (properties["INFO"]["otel.body"], properties["INFO"]["otel.severity_number"]) == ("text", 9)
    assert (properties["orders"]["otel.value"], properties["load"]["otel.value"]) == (3, 0.5)
    latency = properties["latency"]
    assert [latency[f"otel.{field}"] for field in ("count", "sum", "min", "max")] == [4, 325, 1, 300]
