"""Programs that fork, end, or are killed; each event counts once, whichever process tracked it."""

import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.servers.scripted_server import ScriptedAnswer, ScriptedServer

SOURCES = Path(__file__).parents[1] / "src"


@pytest.fixture
def answers() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: ScriptedAnswer(202)) as server:
        yield server


@pytest.fixture
def environment(answers: ScriptedServer, tmp_path: Path) -> dict[str, str]:
    settings = {"TALLYROOM_KEY": "k", "TALLYROOM_URL": answers.url, "TALLYROOM_QUEUE": str(tmp_path / "queue")}
    return os.environ | settings | {"PYTHONPATH": str(SOURCES)}


def run(code: str, environment: dict[str, str], folder: Path, *, exits: int = 0) -> str:
    program = folder / "program.py"
    program.write_text("from tallyroom_client import Tallyroom\n" + textwrap.dedent(code))
    command = [sys.executable, "-W", "error", str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == exits, done.stderr
    assert exits or done.stderr == ""
    return done.stdout


def names_of(server: ScriptedServer) -> Counter[str]:
    requests = {request.headers["idempotency-key"]: request for request in server.asked if request.path == "/v1/events"}
    return Counter(event["name"] for request in requests.values() for event in request.events)


def send_the_rest(environment: dict[str, str], folder: Path) -> None:
    run('t = Tallyroom(); t.track("rest"); assert t.close(60)', environment, folder)


def test_a_program_that_ends_at_once_has_sent_everything(
    environment: dict[str, str], answers: ScriptedServer, tmp_path: Path
) -> None:
    run('for n in range(700): Tallyroom().track("a") if n == 0 else None', environment, tmp_path)
    assert names_of(answers) == {"a": 1}


def test_an_asyncio_program_that_forgets_to_close(
    environment: dict[str, str], answers: ScriptedServer, tmp_path: Path
) -> None:
    code = """
        import asyncio
        async def main():
            client = Tallyroom(queue=False)
            for _ in range(700):
                client.track("a")
        asyncio.run(main())
    """
    run(code, environment, tmp_path)
    assert names_of(answers) == {"a": 700}


def test_what_a_killed_program_tracked_is_sent_by_the_next(
    environment: dict[str, str], answers: ScriptedServer, tmp_path: Path
) -> None:
    code = """
        import os
        client = Tallyroom()
        for _ in range(100):
            client.track("a")
        os.kill(os.getpid(), 9)
    """
    run(code, environment, tmp_path, exits=-9)
    send_the_rest(environment, tmp_path)
    assert names_of(answers) == {"a": 100, "rest": 1}


PREFORK = """
    import os, threading, time
    client = Tallyroom()
    {before}
    children = []
    for worker in range(4):
        pid = os.fork()
        if pid == 0:
            for _ in range(300):
                client.track(f"worker {{worker}}")
            {ending}
        children.append(pid)
    {after}
    for pid in children:
        assert os.waitpid(pid, 0)[1] in (0, 9)
"""


@pytest.mark.parametrize(
    ("before", "after", "parents"),
    [
        (
            "assert threading.active_count() == 1",
            "",
            0,
        ),  # gunicorn --preload: the application is loaded before the fork
        ('client.track("parent")', 'client.track("parent")', 2),
        ('client.track("parent"); client.flush(60)', 'client.track("parent"); client.flush(60)', 2),
    ],
)
@pytest.mark.parametrize("ending", ["raise SystemExit(0)", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_forked_workers_send_their_own_and_the_parent_its_own(
    environment: dict[str, str],
    answers: ScriptedServer,
    tmp_path: Path,
    before: str,
    after: str,
    parents: int,
    ending: str,
) -> None:
    run(PREFORK.format(before=before, after=after, ending=ending), environment, tmp_path)
    send_the_rest(environment, tmp_path)
    expected: dict[str, Any] = {f"worker {worker}": 300 for worker in range(4)} | {"rest": 1}
    assert names_of(answers) == expected | ({"parent": parents} if parents else {})


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_pool_of_processes(environment: dict[str, str], answers: ScriptedServer, tmp_path: Path, method: str) -> None:
    code = f"""
        import multiprocessing
        client = Tallyroom()
        def work(number):
            return client.track("work")
        if __name__ == "__main__":
            client.track("parent")
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                assert all(pool.map(work, range(200)))
                pool.close()
                pool.join()
    """
    run(code, environment, tmp_path)
    send_the_rest(environment, tmp_path)
    assert names_of(answers) == {"work": 200, "parent": 1, "rest": 1}


def test_a_fork_while_threads_track(environment: dict[str, str], answers: ScriptedServer, tmp_path: Path) -> None:
    code = """
        import os, threading
        client = Tallyroom()
        def track_many():
            for _ in range(2000):
                client.track("thread")
        threads = [threading.Thread(target=track_many) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            pid = os.fork()
            if pid == 0:
                client.track("child")
                assert client.close(60)
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
        for thread in threads:
            thread.join()
        assert client.close(60)
    """
    run(code, environment, tmp_path)
    assert names_of(answers) == {"thread": 8000, "child": 10}


def test_flush_sends_in_the_caller_where_threads_do_not_run(
    environment: dict[str, str], answers: ScriptedServer, tmp_path: Path
) -> None:
    code = """
        import threading
        threading.Thread.start = lambda self: None
        client = Tallyroom()
        client.track("a")
        assert client.flush(60)
        client.track("b")
    """
    run(code, environment, tmp_path)
    assert names_of(answers) == {"a": 1, "b": 1}


def test_a_memory_queue_is_not_sent_twice_after_a_fork(
    environment: dict[str, str], answers: ScriptedServer, tmp_path: Path
) -> None:
    code = """
        import os
        client = Tallyroom(queue=False)
        client.track("parent")
        if os.fork() == 0:
            client.track("child")
            raise SystemExit(0)
        os.wait()
    """
    run(code, environment, tmp_path)
    assert names_of(answers) == {"parent": 1, "child": 1}


def test_a_program_that_must_not_write(environment: dict[str, str], answers: ScriptedServer, tmp_path: Path) -> None:
    environment["TALLYROOM_QUEUE"] = "/proc/queue"
    code = """
        problems = []
        client = Tallyroom(on_problem=problems.append)
        assert client.track("a")
        assert client.close(60)
        print([problem.kind for problem in problems])
    """
    assert run(code, environment, tmp_path) == "['queue_unusable']\n"
    assert names_of(answers) == {"a": 1}
