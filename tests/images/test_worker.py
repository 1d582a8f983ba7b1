"""What draws is light."""

import json

import pytest

from harness.servers.child import run_child

TYPEFACES = {"fontTools", "svg2png_py"}
HEAVY = {"chdb", "clickhouse_connect", "sqlalchemy", "uvicorn", "prometheus_client", "swagger_ui"}


def test_it_loads_no_database_no_event_store_and_no_server() -> None:
    code = "import json, sys, tallyroom.images.worker; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.split(".")[0] for name in json.loads(run_child(code).stdout)}
    assert "tallyroom" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.long
def test_the_server_reads_no_typeface() -> None:
    """Only what draws does, so that a server at rest takes no more memory for it."""
    code = "import json, sys, tallyroom.server.app; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.split(".")[0] for name in json.loads(run_child(code).stdout)}
    assert "litestar" in loaded
    assert loaded & TYPEFACES == set()
