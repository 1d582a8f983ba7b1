"""The Dockerfile is built, each of its steps, and what it makes runs as a container would run it.

The official base images cannot be had everywhere, so Debian 13 with its own Python and Node stands in for both.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clients.workspace import sign_up
from harness.suite.patience import PATIENCE

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.long,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, ("buildah", "debootstrap"))),
        reason="only root can build an image, with buildah and debootstrap",
    ),
]

ROOT = Path(__file__).parents[2]
USER = 10001
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
MIRROR = "http://deb.debian.org/debian"
PACKAGES = ("ca-certificates", "python3", "python3-pip", "python3-venv")
STANDING_IN = f"""
set -e
debootstrap --variant=minbase --include={",".join(PACKAGES)} trixie "$1" {MIRROR}
chroot "$1" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends npm'
rm -f "$1"/usr/lib/python3*/EXTERNALLY-MANAGED
for name in python python3; do ln -s /usr/bin/python3 "$1/usr/local/bin/$name"; done
"""
INSIDE = """
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount --bind "$2" "$1/data"
mount -t tmpfs -o size=16m,mode=1777,noexec,nosuid,nodev tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
root=$1
shift 2
exec chroot --userspec=10001:10001 --groups=10001 "$root" /usr/bin/env --ignore-environment "$@"
"""


class Image:
    """A built image: its files, mounted, and what it says of how to run it."""

    def __init__(self, files: Path, config: dict[str, Any], health: list[str]) -> None:
        self.files = files
        self.config = config
        self.health = health

    def inside(self, data: Path, *words: str, **settings: str) -> list[str]:
        """The command that runs `words` in a container of the image, with nothing but `data` and /tmp to write to."""
        given = [*self.config["Env"], *(f"TALLYROOM_{name.upper()}={value}" for name, value in settings.items())]
        return ["unshare", "--mount", "bash", "-c", INSIDE, "inside", str(self.files), str(data), *given, *words]


def run(*words: str | Path, **options: Any) -> str:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout[-5000:]
    return str(done.stdout).strip()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    home = tmp_path_factory.mktemp("image")
    base = home / "base"
    run("bash", "-c", STANDING_IN, "stand-in", base)
    shutil.copy(CERTIFICATES, base / CERTIFICATES.relative_to("/"))  # a mirror of packages may have one of its own
    for name in ("pip.conf", "npmrc"):
        with suppress(FileNotFoundError):
            shutil.copy(f"/etc/{name}", base / "etc" / name)
    buildah = ("buildah", "--root", home / "storage", "--runroot", home / "running")
    try:
        made = run(*buildah, "from", "scratch")
        run(*buildah, "add", "--quiet", made, base, "/")
        variables = ("PIP_CERT", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS")
        run(*buildah, "config", *(f"--env={name}={CERTIFICATES}" for name in variables), made)
        for name in ("python:3.13-slim", "node:22-slim"):
            run(*buildah, "commit", "--quiet", made, f"docker.io/library/{name}")
        build = ("bud", "--isolation", "chroot", "--format", "docker", "--pull-never", "--tag", "tallyroom")
        run(*buildah, *build, ".", cwd=ROOT)
        container = run(*buildah, "from", "--pull-never", "localhost/tallyroom")
        told = json.loads(run(*buildah, "inspect", container))
        config = told["Docker"]["config"]
        yield Image(Path(run(*buildah, "mount", container)), config, config["Healthcheck"]["Test"][1:])
    finally:
        run(*buildah, "umount", "--all")
        run(*buildah, "rm", "--all")
        shutil.rmtree(home)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    os.chown(folder, USER, USER)
    return folder


def test_it_says_how_it_is_run(image: Image) -> None:
    assert image.config["User"] == f"{USER}:{USER}"
    assert image.config["Entrypoint"] == ["/opt/tallyroom/bin/tallyroom"]
    assert image.config["Cmd"] == ["serve"]
    assert list(image.config["Volumes"]) == ["/data"]
    assert image.config["StopSignal"] == "SIGTERM"
    assert (image.files / "data").stat().st_uid == USER


def test_a_container_takes_an_event_draws_a_picture_and_stops(image: Image, data: Path) -> None:
    command = image.inside(data, *image.config["Entrypoint"], *image.config["Cmd"], port="0")
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout is not None
    try:
        line = next(line for line in server.stdout if " listens on http" in line)
        port = line.split(" listens on ")[1].split()[0].rpartition(":")[2]
        url = f"http://127.0.0.1:{port}"
        run(*image.inside(data, *image.health, port=port))
        workspace = sign_up(url)
        assert workspace.send({"name": "order.placed", "_actor": "customer-1"}).status_code == 202
        assert [actor["eventCount"] for actor in workspace.get("/v1/actors").json()["actors"]] == [1]
        points = '[{"id":"日本","x":1763000000,"y":1},{"id":"日本","x":1763086400,"y":2}]'
        picture = httpx.get(f"{url}/custom/graph.png", params={"data_points": points, "name": "日本 😀"}, timeout=60)
        assert picture.content.startswith(b"\x89PNG")
        assert "<title>" in httpx.get(url, headers={"accept": "text/html"}).text
        assert (data / "spool.sqlite").stat().st_uid == USER
        server.terminate()
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.stdout.close()
