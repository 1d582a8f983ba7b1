"""The server writes to its data directory and to a small temporary folder, and nowhere else; it needs no rights of root.

It runs in a namespace of mounts in which everything else is read-only, as user 10001, which may read what root may,
because a clone can lie where only root looks.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import sign_up
from harness.servers.server import Server

USER = 10001
ROOT = Path(__file__).parents[2]
INSIDE = f"""
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t tmpfs -o size=16m,mode=1777,noexec,nosuid,nodev tmpfs "$2"
findmnt --raw --noheadings --output TARGET | while read -r each; do
  [ "$each" = "$1" ] || [ "$each" = "$2" ] || mount -o remount,bind,ro "$each" 2>/dev/null || true
done
export TMPDIR="$2" HOME="$1"
shift 2
exec setpriv --reuid={USER} --regid={USER} --clear-groups --no-new-privs \
  --bounding-set=-all,+dac_read_search --inh-caps=-all,+dac_read_search --ambient-caps=+dac_read_search -- "$@"
"""


class Confined:
    """Two folders that may be written, and the words by which a command runs where nothing else may."""

    def __init__(self, home: Path) -> None:
        self.data, self.temporary = home / "data", home / "temporary"
        self.data.mkdir(mode=0o700)
        self.temporary.mkdir()
        os.chown(self.data, USER, USER)

    @property
    def command(self) -> list[str]:
        return ["unshare", "--mount", "bash", "-c", INSIDE, "confined", str(self.data), str(self.temporary)]

    @property
    def limits(self) -> str:
        """The same for a server, as its `limits`: words of `ulimit` that end in a command of our own."""
        return f"-c 0 && exec unshare --mount bash -c '{INSIDE}' confined {self.data} {self.temporary} \"$@\" #"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self.command, *words], capture_output=True, text=True, check=False)


@pytest.fixture
def confined() -> Iterator[Confined]:
    home = Path(tempfile.mkdtemp(prefix="tallyroom-confined-"))
    try:
        made = Confined(home) if os.geteuid() == 0 else None
        if made is None or made.run("true").returncode != 0:
            if os.environ.get("REQUIRE_NAMESPACES") == "1":
                pytest.fail("nothing can be made read-only here")
            pytest.skip("only root can make everything read-only, where the machine lets it")
        yield made
    finally:
        shutil.rmtree(home)


def test_nothing_else_can_be_written(confined: Confined) -> None:
    for place in (ROOT, Path("/tmp"), Path.home(), confined.data.parent):
        found = confined.run("touch", str(place / "written"))
        assert "Read-only file system" in found.stderr, place
    assert confined.run("touch", str(confined.data / "written")).returncode == 0
    assert (confined.data / "written").stat().st_uid == USER


@pytest.mark.long
def test_a_server_needs_no_more_from_its_start_to_its_stop(confined: Confined) -> None:
    server = Server(confined.data, limits=confined.limits, stop_seconds="20").start()
    try:
        status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
        assert f"Uid:\t{USER}\t{USER}\t{USER}\t{USER}\n" in status
        workspace = sign_up(server.url)
        assert workspace.send({"name": "order.placed", "_actor": "customer-1"}).status_code == 202
        assert [actor["eventCount"] for actor in workspace.get("/v1/actors").json()["actors"]] == [1]
        points = '[{"id":"a","x":1763000000,"y":1},{"id":"a","x":1763086400,"y":2}]'
        picture = httpx.get(f"{server.url}/custom/graph.png", params={"data_points": points, "name": "A"}, timeout=60)
        assert picture.content.startswith(b"\x89PNG")
        assert server.stop() == 0
    finally:
        server.process.kill()
    assert {path.stat().st_uid for path in confined.data.rglob("*")} == {USER}
