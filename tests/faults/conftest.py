"""Sites whose servers may be killed, and which are looked through for secrets when the test is over."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from harness.site import MakeSite, Site, find_secrets
from harness.strace import Untraceable, check_strace


@pytest.fixture(scope="session", autouse=True)
def quick_starts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hundreds of starts: let the servers keep compiled modules, wherever the environment forbids it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("pycache")))
        yield


@pytest.fixture
def seed() -> int:
    """Another one each time; TALLYROOM_TEST_SEED repeats a run. Shown when the test fails."""
    found = int(os.environ.get("TALLYROOM_TEST_SEED", "0")) or Random().randrange(1, 10**6)
    sys.stdout.write(f"TALLYROOM_TEST_SEED={found}\n")
    return found


@pytest.fixture
def mounted() -> Iterator[ExitStack]:
    """Closes what a test has mounted, after its servers ended."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def make_site(tmp_path: Path, seed: int, mounted: ExitStack) -> Iterator[MakeSite]:
    """Make sites; at the end each server is stopped and nothing secret may be found."""
    sites: list[Site] = []

    def make(name: str = "data", **options: object) -> Site:
        sites.append(Site(tmp_path / name, seed, **options))  # type: ignore[arg-type]
        return sites[-1]

    yield make
    for site in sites:
        if site.server._process:
            site.server.kill()
        if hasattr(site, "workspace"):
            assert find_secrets(site.visible_data, site.server.text(), site.secrets()) == []


@pytest.fixture
def strace() -> None:
    """Skips where nobody can be traced, unless REQUIRE_STRACE=1 says that it must be possible."""
    try:
        check_strace()
    except Untraceable as error:
        if os.environ.get("REQUIRE_STRACE") == "1":
            raise
        pytest.skip(f"{error}; nothing else notices a sync that is missing")
