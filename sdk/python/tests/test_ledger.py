"""The promise as a whole: what `track` took is counted exactly once, in order, whoever is killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.sdk.tracking_program import numbers_in
from harness.sdk.unreliable_proxy import FAULTS, UnreliableProxy
from harness.servers.server import Server
from harness.servers.site import free_port

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-W", "error", "-m", "harness.sdk.tracking_program"]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT / "sdk/python/src")])}


class Program:
    """The tracking program, which is killed and started again."""

    def __init__(self, url: str, key: str, folder: Path) -> None:
        self.ledger = folder / "ledger"
        self.queue = folder / "queue"
        self._words = [url, key, str(self.queue), str(self.ledger)]

    def start(self) -> None:
        self._process = subprocess.Popen([*PROGRAM, *self._words], env=ENVIRONMENT, stdout=subprocess.PIPE)
        assert self._process.stdout
        assert self._process.stdout.readline() == b"tracks\n"

    def kill(self) -> None:
        self._process.kill()
        with self._process:
            pass

    def finish(self) -> None:
        subprocess.run([*PROGRAM, *self._words, "finish"], env=ENVIRONMENT, check=True, timeout=150)


def counted_numbers(workspace: Workspace) -> list[int]:
    answer = workspace.get("/v1/export")
    assert answer.status_code == 200, answer.text
    events = [json.loads(line) for line in answer.content.split(b"\n")[:-1]]
    return [event["properties"]["number"] for event in events if event["name"] == "counted"]


def check_numbers(numbers: list[int], ledger: list[int]) -> None:
    """Each number of the ledger counts once, in order, and no other but one that was killed on its way to the ledger."""
    noted = set(ledger)
    assert [number for number in numbers if number in noted] == ledger, "lost, doubled or out of order"
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) - noted <= {number + 1 for number in ledger}


def kill_in_turn(folder: Path, kills: int, seed: int) -> None:
    chance = Random(seed)
    server = Server(folder / "data", port=free_port(), ingest_rate_per_minute="0", open_signup="true").start()
    workspace = sign_up(server.url)
    with UnreliableProxy(server.port, seed=seed) as proxy:
        program = Program(proxy.url, workspace.key, folder)
        program.start()
        for number in range(kills):
            time.sleep(chance.uniform(0.0, 1.2))
            if number % 2:
                server.kill()
                server.start()
            else:
                program.kill()
                program.start()
        program.kill()
        proxy.share = 0
        program.finish()
        counts = proxy.counts
    numbers = counted_numbers(workspace)
    server.stop()
    ledger = numbers_in(program.ledger)
    check_numbers(numbers, ledger)
    assert all(counts[fault] for fault in FAULTS)
    assert list(program.queue.glob("*.journal")) == []


def test_client_and_server_are_killed_in_turn(tmp_path: Path) -> None:
    kill_in_turn(tmp_path, 10, seed=20)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_client_and_server_are_killed_300_times(tmp_path: Path) -> None:
    seed = Random().randrange(10**6)
    sys.stdout.write(f"seed {seed}\n")
    kill_in_turn(tmp_path, 300, seed)
