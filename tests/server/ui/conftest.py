"""A server with a small web app, and one that has none."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.servers.checkout import checkout
from harness.servers.server import Server

BUILT = {
    "index.html": b"<!doctype html><title>The app</title>",
    "index.html.br": b"the page, by brotli",
    "public.html": b'<!doctype html><title>Tallyroom</title><script type="module" src="/assets/public-5c6d.js"></script>',
    "favicon.svg": b"<svg/>",
    "theme.js": b"dark()",
    "manifest.json": b"{}",
    "public-manifest.json": b"{}",
    "preloads.json": json.dumps(
        {
            "/keys": {
                "scripts": ["/assets/keys-5e6f.js"],
                "styles": ["/assets/keys-3a4b.css"],
                "requests": ["/v1/auth/me"],
            },
            "/actors/$actorKey": {"scripts": ["/assets/actor-1e2f.js"], "styles": [], "requests": ["/v1/auth/me"]},
            "/actors/new": {"scripts": ["/assets/new-3a5c.js"], "styles": [], "requests": ["/v1/auth/me"]},
            "/d/$id": {
                "scripts": ["/assets/frame-7a8b.js", "/assets/dashboard-9c0d.js"],
                "styles": [],
                "requests": ["/v1/auth/me", "/v1/dashboards/$id"],
            },
        }
    ).encode(),
    "assets/main-1a2b.js": b"start()",
    "assets/main-1a2b.js.br": b"the script, by brotli",
    "assets/main-1a2b.js.gz": b"the script, by gzip",
    "assets/main-3c4d.css": b"a{}",
}
"""As the build lays files out; nobody unpacks them, so that the forms can be told apart."""


@pytest.fixture(scope="session")
def built() -> dict[str, bytes]:
    return BUILT


@pytest.fixture(scope="session")
def with_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Its host names are apart."""
    folder = tmp_path_factory.mktemp("with-app")
    server = Server(
        folder / "data",
        open_signup="true",
        base_url="http://tally.example",
        stats_url="http://stats.example",
        metrics_open="true",
    )
    yield from _started(server, checkout(folder / "src", BUILT))


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("plain")
    server = Server(folder / "data", open_signup="true", log_level="info")
    yield from _started(server, checkout(folder / "src", None))


def _started(server: Server, product: Path) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(product))
        server.start()
    yield server
    server.stop()
