"""What reads is light."""

import json

from harness.servers.child import run_child

HEAVY = {"chdb", "clickhouse_connect", "sqlalchemy", "uvicorn", "litestar", "prometheus_client", "resvg_py"}


def test_it_loads_no_database_no_event_store_and_no_server() -> None:
    code = "import json, sys, tallyroom.ingest.validation.body_worker; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.split(".")[0] for name in json.loads(run_child(code).stdout)}
    assert "tallyroom" in loaded
    assert loaded & HEAVY == set()
