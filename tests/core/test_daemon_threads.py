"""Work in a bounded number of threads, none of which keeps a process from ending."""

import subprocess
import sys
import threading

import pytest

from tallyroom.core.daemon_threads import DaemonThreads


def test_work_is_done_and_errors_reach_whoever_waits() -> None:
    begun: list[str] = []
    threads = DaemonThreads(2, "t", lambda: begun.append(threading.current_thread().name))
    assert [threads.submit(pow, 2, exponent).result() for exponent in range(5)] == [1, 2, 4, 8, 16]
    with pytest.raises(ZeroDivisionError):
        threads.submit(lambda: 1 // 0).result()
    assert threads.close(5)
    assert set(begun) <= {"t_0", "t_1"}


def test_no_more_threads_than_that_work_at_once() -> None:
    threads, go, names = DaemonThreads(2, "t"), threading.Event(), set[str]()

    def work() -> None:
        go.wait()
        names.add(threading.current_thread().name)

    futures = [threads.submit(work) for _ in range(6)]
    go.set()
    for future in futures:
        future.result()
    assert names <= {"t_0", "t_1"}
    assert threads.close(5)


def test_work_that_was_cancelled_is_not_begun() -> None:
    threads, go = DaemonThreads(1, "t"), threading.Event()
    first, second = threads.submit(go.wait), threads.submit(lambda: pytest.fail("it is cancelled"))
    assert second.cancel()
    go.set()
    assert first.result()
    assert threads.close(5)


def test_a_process_ends_although_a_thread_does_not() -> None:
    program = (
        "import threading; from tallyroom.core.daemon_threads import DaemonThreads;"
        "threads = DaemonThreads(1, 't'); threads.submit(threading.Event().wait); print(threads.close(0.01))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "False\n"
