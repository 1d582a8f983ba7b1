"""The types that the web app has of this document are the ones that it says now."""

import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.oracles.openapi_document import described

WEB = Path(__file__).parents[3] / "web"
GENERATED = ("api/schema.gen.ts", "core/names.gen.ts")


def test_the_document_can_be_had_without_a_server(document: Any) -> None:
    alone = msgspec.json.decode(described())
    cookie = alone["components"]["securitySchemes"]["session"]
    assert cookie["name"] == "tallyroom_session"  # a server names its installation there
    cookie["name"] = document["components"]["securitySchemes"]["session"]["name"]
    assert alone == document


def test_the_web_app_has_its_types_and_names(tmp_path: Path) -> None:
    if not (WEB / "node_modules").is_dir():
        pytest.fail("the web app's packages are not installed; `make test` does that")
    for name in GENERATED:
        (tmp_path / name).parent.mkdir()
    subprocess.run(["node", "scripts/types.mjs", tmp_path], cwd=WEB, input=described(), check=True, timeout=120)
    for name in GENERATED:
        kept = (WEB / "src" / name).read_text(encoding="utf-8")
        assert (tmp_path / name).read_text(encoding="utf-8") == kept, "run `make web-types`"
