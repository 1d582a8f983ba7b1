"""Stands in for `docker`: runs the commands of the image from their source, and its volumes are folders.

The environment names the folder of the volumes, `DOCKER_VOLUMES`, which also has `calls`, a line for each call, and
`running`, the process of the server. `compose up` notes in `mounted` which volume the server has as `/data`.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from harness.servers.worker_processes import runs
from harness.suite.patience import wait_until

VOLUMES = Path(os.environ["DOCKER_VOLUMES"])
ROOT = Path(__file__).parents[3]


def main(words: list[str]) -> None:
    """Do what the words say; unknown ones are a fault."""
    with (VOLUMES / "calls").open("a", encoding="utf-8") as calls:
        calls.write(" ".join(words) + "\n")
    if words[0] == "run":
        run(words[1:])
    elif words == ["compose", "down"]:
        down()
    elif words == ["compose", "up", "--detach", "--wait"]:
        up()
    else:
        raise SystemExit(f"docker does not know {words}")


def run(words: list[str]) -> None:
    """Run a command of the image, with its volumes in place of the paths that it names."""
    mounts = {}
    while words[0].startswith("--"):
        if words.pop(0) == "--volume":
            name, path, *_ = words.pop(0).split(":")
            mounts[path] = VOLUMES / name
            mounts[path].mkdir(exist_ok=True)
    image, *command = words
    assert image == of_compose()["services"]["tallyroom"]["image"]
    for path, folder in mounts.items():
        command = [str(folder) + word.removeprefix(path) if word.startswith(path) else word for word in command]
    raise SystemExit(subprocess.run([sys.executable, "-m", "tallyroom", *command], check=False).returncode)


def down() -> None:
    """Stop the server."""
    pid = int((VOLUMES / "running").read_text("utf-8"))
    os.kill(pid, signal.SIGTERM)
    wait_until(
        lambda: not runs(pid) or Path(f"/proc/{pid}/cmdline").read_bytes() == b""
    )  # nobody has waited for it yet


def up() -> None:
    """Note the volume of a server that starts now."""
    mounted = dict(each.split(":") for each in of_compose()["services"]["tallyroom"]["volumes"])
    data = next(name for name, path in mounted.items() if path == "/data")
    said = of_compose()["volumes"][data] or {}
    name = said.get("name", f"{of_compose()['name']}_{data}")
    if said.get("external") and not (VOLUMES / name).is_dir():
        raise SystemExit(f'external volume "{name}" not found')
    (VOLUMES / "mounted").write_text(name, encoding="utf-8")


def of_compose() -> dict[str, Any]:
    """What the compose file says, and the volumes of the file that overrides it, if there is one here."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    if (other := Path("compose.override.yaml")).exists():
        found["volumes"] |= yaml.safe_load(other.read_text(encoding="utf-8"))["volumes"]
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
