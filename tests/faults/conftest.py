"""Sites whose servers may be killed, and which are looked through for secrets when the test is over."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random

import pytest

from harness.servers.events_server import FrontServer
from harness.servers.host import begin_host
from harness.servers.site import MakeHost, MakeSite, watched_sites
from harness.servers.strace import Untraceable, check_strace
from harness.stores.metadata import Places, on_postgresql


@pytest.fixture
def seed() -> int:
    """Another one each time; TALLYROOM_TEST_SEED repeats a run. Shown when the test fails."""
    return _fresh_seed()


def _fresh_seed() -> int:
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
    """Make sites for one test; `mounted` ends after them."""
    with watched_sites(tmp_path, seed) as make:
        yield make


@pytest.fixture(scope="module")
def make_shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeSite]:
    """Make sites for the tests of one file."""
    with watched_sites(tmp_path_factory.mktemp("shared"), _fresh_seed()) as make:
        yield make


@pytest.fixture
def strace() -> None:
    """Skips where nobody can be traced, unless REQUIRE_STRACE=1 says that it must be possible."""
    try:
        check_strace()
    except Untraceable as error:
        if os.environ.get("REQUIRE_STRACE") == "1":
            raise
        pytest.skip(f"{error}; nothing else notices a sync that is missing")


@pytest.fixture
def make_host(make_site: MakeSite, events_server: FrontServer, postgresql_places: Places) -> Iterator[MakeHost]:
    """Make a site with a parent and that many workers, whose data is on servers."""
    with on_postgresql(postgresql_places):
        yield partial(begin_host, make_site, events_server)
