"""The Dockerfile passes its linter, and says what docs/howto/containers.md promises of the image."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import socket

import pytest

from harness.servers.server import Server
from tallyroom.images.worker_pool import PictureWorkerPool

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LINTER = Path(sys.executable).parent / "hadolint"


def instructions() -> Iterator[tuple[str, str]]:
    """Each instruction with what it says, in one line."""
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line:
            word, _, rest = line.partition(" ")
            yield word, " ".join(rest.split())


SAID = list(instructions())
LAST = SAID[max(at for at, (word, _) in enumerate(SAID) if word == "FROM") :]


def last(word: str) -> str:
    """What the only such instruction of the last stage says."""
    (found,) = [rest for each, rest in LAST if each == word]
    return found


def test_the_linter_has_nothing_to_say() -> None:
    done = subprocess.run([LINTER, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_linter_would_say_it(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(TEXT.replace("FROM python:3.13-slim\nLABEL", "FROM python\nLABEL"), "utf-8")
    done = subprocess.run([LINTER, "Dockerfile"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "DL3006" in done.stdout


def test_uv_is_that_of_the_makefile() -> None:
    (version,) = re.findall(r"^UV_VERSION := (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r"\buv==(\S+)", TEXT) == [version]


def test_nothing_in_it_runs_as_root_or_in_a_shell() -> None:
    assert last("USER") == "10001:10001"
    assert json.loads(last("ENTRYPOINT")) == ["/opt/tallyroom/bin/tallyroom"]
    assert json.loads(last("CMD")) == ["serve"]
    assert last("HEALTHCHECK").split(" CMD ")[1].startswith("[")
    assert last("STOPSIGNAL") == "SIGTERM"
    assert last("VOLUME") == "/data"


def test_what_is_copied_is_let_in() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = [rest.split()[:-1] for word, rest in SAID if word == "COPY" and not rest.startswith("--from")]
    needed = {source.split("/")[0] for sources in copied for source in sources}
    assert needed == let_in
    assert [name for name in needed if not (ROOT / name).exists()] == []
    assert next(line for line in lines if line and line[0] not in "#!") == "*"


def test_each_base_has_a_version_of_which_only_repairs_come() -> None:
    bases = {rest.split()[0] for word, rest in SAID if word == "FROM"}
    assert bases == {"node:22-slim", "python:3.13-slim"}


@pytest.mark.skipif(not Path("/usr/share/fonts/opentype/noto").is_dir(), reason="the typefaces are not installed")
def test_the_folders_of_typefaces_are_those_of_the_packages() -> None:
    (folders,) = re.findall(r"TALLYROOM_FONT_FOLDERS=(\S+)", last("ENV"))
    PictureWorkerPool([Path(folder) for folder in folders.split(":")])


def health(port: int) -> int:
    """What the health check ends with, for a server on that port."""
    _, *words = json.loads(last("HEALTHCHECK").split(" CMD ")[1])
    environment = os.environ | {"TALLYROOM_PORT": str(port)}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=False).returncode


def test_the_health_check_tells_a_server_from_none(server: Server) -> None:
    assert health(server.port) == 0
    with closing(socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))
        assert health(nobody.getsockname()[1]) == 1
