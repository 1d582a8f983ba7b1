"""The packages contain the built web app, so that whoever installs one needs no Node (rules/safety#web-app)."""

import re
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from harness.oracles.refusal import check_refusal
from harness.servers.server import Server

ROOT = Path(__file__).parents[3]
BUILT = ROOT / "src" / "tallyroom" / "server" / "ui" / "static"
CODINGS = {"br": ".br", "gzip": ".gz"}
WORTH_PACKING = 300
BROWSER = {"accept": "text/html", "accept-encoding": "gzip, br"}


def built() -> set[str]:
    """The files of the web app, as `make web` leaves them."""
    found = {path.relative_to(BUILT).as_posix() for path in BUILT.rglob("*") if path.is_file()}
    assert found, "`make web` builds the web app"
    return found


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("packages"))


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_the_wheel_has_every_file(packages: Path) -> None:
    [wheel] = packages.glob("*.whl")
    with ZipFile(wheel) as archive:
        packed = {
            name.removeprefix("tallyroom/server/ui/static/") for name in archive.namelist() if "/ui/static/" in name
        }
        assert not [name for name in archive.namelist() if "node_modules" in name]
    assert packed == built()


@pytest.mark.long
def test_the_sources_have_every_file(tmp_path: Path) -> None:
    [sources] = build("sdist", tmp_path).glob("*.tar.gz")
    with tarfile.open(sources) as archive:
        names = archive.getnames()
    assert {name.partition("/src/tallyroom/server/ui/static/")[2] for name in names if "/ui/static/" in name} == built()
    assert not [name for name in names if "node_modules" in name]


@pytest.fixture(scope="module")
def installed(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server from the wheel, in an environment of its own that shares nothing but what the wheel depends on."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    [site] = (folder / "venv").glob("lib/python*/site-packages")
    with ZipFile(next(packages.glob("*.whl"))) as archive:
        archive.extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", str(folder / "venv" / "bin"))
        server = Server(folder / "data", python=str(folder / "venv" / "bin" / "python"), log_level="info").start()
    yield server
    server.stop()


@pytest.mark.long  # from the sources: test_web_app.py
def test_it_runs_without_node(installed: Server) -> None:
    assert "not built" not in installed.text()
    with httpx.Client(base_url=installed.url, headers=BROWSER) as browser:
        page = browser.get("/d/x", headers={"accept-encoding": "identity"})
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        check_refusal(browser.get("/v1/none"), 404)
        named = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
        assert len([each for each in named if each.startswith("/assets/")]) > 1
        for each in named:
            assert browser.get(each).status_code == 200


@pytest.mark.long
def test_each_asset_is_kept_and_comes_by_brotli(installed: Server) -> None:
    there = built()
    with httpx.Client(base_url=installed.url, headers=BROWSER) as browser:
        for name in sorted(there):
            if name.startswith("assets/") and not name.endswith((".br", ".gz")):
                answer = browser.get(f"/{name}")
                assert (answer.status_code, answer.headers["cache-control"][-9:]) == (200, "immutable"), name
                forms = [coding for coding, suffix in CODINGS.items() if f"{name}{suffix}" in there]
                assert answer.headers.get("content-encoding") == next(iter(forms), None), name
                assert forms or len(answer.content) < WORTH_PACKING, name
