"""The parent keeps its children running, whatever becomes of them, and ends them all when it ends."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.servers.child import run_child
from harness.servers.toy_parent import ToyParent
from harness.servers.worker_processes import runs
from harness.suite.patience import PATIENCE, wait_until
from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.server.workers.supervisor import MAX_FAILURES

MakeParent = Callable[[int], ToyParent]


def folder(parent: ToyParent, number: int) -> Path:
    made = parent.data / "workers" / str(number)
    made.mkdir(parents=True, exist_ok=True)
    return made


def starts(parent: ToyParent, number: int) -> list[int]:
    return [int(line) for line in (folder(parent, number) / "starts").read_text().split()]


def let(parent: ToyParent, number: int, fault: str) -> None:
    (folder(parent, number) / "fault").write_text(fault)


def fail_for_a_while(parent: ToyParent, number: int) -> None:
    before = starts(parent, number)
    let(parent, number, "die")
    os.kill(before[-1], signal.SIGKILL)
    wait_until(lambda: len(starts(parent, number)) > len(before) + MAX_FAILURES)
    let(parent, number, "")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_serve_at_one_address_and_stop_together(make_parent: MakeParent, number: signal.Signals) -> None:
    parent = make_parent(3).start()
    assert len(parent.children()) == 3
    asked = {parent.ask() for _ in range(20)}
    assert {pid for _, pid in asked} <= set(parent.children())
    assert parent.stop(number) == 0
    assert all((folder(parent, each) / "stopped").exists() for each in range(3))
    assert parent.output.count(" listens on ") == 1
    assert " with 3 workers " in parent.output


@pytest.mark.long
def test_a_server_with_an_owner_does_not_say_how_to_begin(make_parent: MakeParent) -> None:
    parent = make_parent(2)
    let(parent, 0, "owned")
    assert parent.start().stop() == 0
    assert "Next: open " not in parent.output


def test_a_child_that_is_killed_is_replaced_while_the_others_serve(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    killed, other = parent.children()
    os.kill(killed, signal.SIGKILL)
    parent.ask()
    wait_until(lambda: len(parent.children()) == 2 and killed not in parent.children())
    assert other in parent.children()
    assert parent.stop() == 0


def test_processes_in_reserve_take_the_places_of_workers_that_end_together(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    wait_until(lambda: len(parent.in_reserve()) == 2)
    reserve = set(parent.in_reserve())
    for child in parent.children():
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: reserve == set(parent.children()))
    wait_until(lambda: len(parent.in_reserve()) == 2)
    assert parent.stop() == 0


@pytest.mark.long
def test_there_are_never_more_than_two_processes_in_reserve(make_parent: MakeParent) -> None:
    parent = make_parent(3).start()
    wait_until(lambda: len(parent.in_reserve()) == 2)
    os.kill(parent.children()[0], signal.SIGKILL)
    wait_until(lambda: len(starts(parent, 0)) == 2 and len(parent.in_reserve()) == 2)
    assert parent.stop() == 0


def test_the_process_in_reserve_is_of_the_program_of_now(make_parent: MakeParent) -> None:
    parent = make_parent(1).start()
    wait_until(parent.in_reserve)
    [outdated] = parent.in_reserve()
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(starts(parent, 0)) == 2)
    assert outdated not in {*parent.children(), *parent.in_reserve()}
    wait_until(parent.in_reserve)
    assert parent.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_process_in_reserve_ends_with_its_parent(make_parent: MakeParent, number: signal.Signals) -> None:
    parent = make_parent(1).start()
    wait_until(parent.in_reserve)
    [reserve] = parent.in_reserve()
    parent.process.send_signal(number)
    wait_until(lambda: not runs(reserve))


@pytest.mark.long
@pytest.mark.timeout(60)  # seven pauses that grow to half a minute would take longer
def test_one_that_is_killed_again_and_again_is_soon_back(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    for count in range(2, 9):
        os.kill(starts(parent, 0)[-1], signal.SIGKILL)
        wait_until(lambda: len(starts(parent, 0)) == count)  # noqa: B023 # it ends within the round
    assert parent.stop() == 0


@pytest.mark.long
def test_one_in_reserve_that_ended_is_not_taken(make_parent: MakeParent) -> None:
    parent = make_parent(1).start()
    wait_until(parent.in_reserve)
    os.kill(parent.in_reserve()[0], signal.SIGKILL)
    os.kill(parent.children()[0], signal.SIGKILL)
    wait_until(lambda: len(starts(parent, 0)) == 2)
    wait_until(parent.in_reserve)
    assert parent.stop() == 0


@pytest.mark.long
def test_a_client_waits_while_there_is_no_child(make_parent: MakeParent) -> None:
    parent = make_parent(1).start()
    [before] = parent.children()
    os.kill(before, signal.SIGKILL)
    _, after = parent.ask()
    assert after != before
    assert parent.stop() == 0


@pytest.mark.long
def test_children_that_hang_are_killed_and_hold_no_new_client_up(make_parent: MakeParent) -> None:
    parent = make_parent(3).start()
    _, hung = parent.ask("hang")
    stood, other = (child for child in parent.children() if child != hung)
    os.kill(stood, signal.SIGSTOP)
    assert {pid for _, pid in (parent.ask() for _ in range(10))} == {other}
    wait_until(lambda: not runs(hung) and not runs(stood))
    wait_until(lambda: len(parent.children()) == 3)
    assert parent.stop() == 0
    assert parent.output.count("does not respond and is killed") == 2


def test_a_child_that_refuses_at_the_start_ends_everything_with_its_sentence(make_parent: MakeParent) -> None:
    parent = make_parent(2)
    let(parent, 0, "refuse")
    assert parent.launch().end() == 1
    assert parent.output.endswith("The toy does not want to.\n")
    assert "listens" not in parent.output
    assert len(starts(parent, 0)) == 1
    assert not (folder(parent, 1) / "starts").exists()


@pytest.mark.long
@pytest.mark.parametrize("fault", ["refuse", "die"])
def test_one_that_cannot_start_does_not_end_one_that_serves(make_parent: MakeParent, fault: str) -> None:
    parent = make_parent(2)
    let(parent, 1, fault)
    assert parent.start().ask()[0] == "0"
    wait_until(lambda: len(starts(parent, 1)) > MAX_FAILURES)
    let(parent, 1, "")
    wait_until(lambda: {parent.ask()[0] for _ in range(10)} == {"0", "1"})
    assert parent.stop() == 0


@pytest.mark.long
def test_one_that_serves_has_no_failures(make_parent: MakeParent) -> None:
    """Worker 0 fails and serves again; then worker 1 does the same."""
    parent = make_parent(2).start()
    for number in (0, 1):
        fail_for_a_while(parent, number)
        wait_until(lambda: {parent.ask()[0] for _ in range(10)} == {"0", "1"})
    assert parent.stop() == 0


@pytest.mark.long
def test_a_server_that_does_not_answer_ends_nothing_however_long(make_parent: MakeParent) -> None:
    parent = make_parent(2)
    for number in (0, 1):
        let(parent, number, "away")
        (folder(parent, number) / SPOOL_FILE).touch()
    parent.launch()
    wait_until((folder(parent, 0) / "starts").exists)
    wait_until(lambda: len(starts(parent, 0)) > MAX_FAILURES + 1)
    for number in (0, 1):
        let(parent, number, "")
    wait_until(lambda: len(parent.children()) == 2)
    assert parent.stop() == 0


@pytest.mark.long
def test_one_that_waits_for_a_server_is_replaced_by_one_of_the_program_of_now(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    (folder(parent, 0) / SPOOL_FILE).touch()
    let(parent, 0, "wait")
    os.kill(starts(parent, 0)[-1], signal.SIGKILL)
    wait_until(lambda: len(starts(parent, 0)) == 2)
    time.sleep(2)  # the parent hears of it
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(starts(parent, 0)) == 3)
    assert parent.ask()[0] == "1"
    let(parent, 0, "")
    wait_until(lambda: {parent.ask()[0] for _ in range(10)} == {"0", "1"})
    assert len(starts(parent, 0)) == 3
    assert parent.stop() == 0


@pytest.mark.long
@pytest.mark.parametrize("fault", ["refuse", "die"])
def test_a_worker_stays_if_its_successor_cannot_start(make_parent: MakeParent, fault: str) -> None:
    parent = make_parent(2).start()
    before = parent.children()
    let(parent, 0, fault)
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(starts(parent, 0)) == 2)
    wait_until(lambda: set(parent.children()) == set(before))
    assert {parent.ask()[1] for _ in range(20)} <= set(before)
    let(parent, 0, "")
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(parent.children()) == 2 and not set(parent.children()) & set(before))
    assert parent.stop() == 0
    assert parent.output.count("a worker cannot be replaced, and keeps running") == 1
    assert parent.output.count("each worker was replaced") == 1


@pytest.mark.long
def test_a_worker_stays_until_its_successor_reaches_the_servers(make_parent: MakeParent) -> None:
    parent = make_parent(1).start()
    [before] = parent.children()
    let(parent, 0, "away")
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(starts(parent, 0)) == 3)
    assert parent.ask()[1] == before
    let(parent, 0, "")
    wait_until(lambda: before not in parent.children() and len(parent.children()) == 1)
    assert parent.ask()[1] != before
    assert parent.stop() == 0


@pytest.mark.long
def test_a_new_directory_ends_with_what_does_not_answer(make_parent: MakeParent) -> None:
    """Its settings may be wrong, and whoever makes it looks at the console."""
    parent = make_parent(2)
    let(parent, 0, "away")
    assert parent.launch().end() == 1
    assert parent.output.endswith("The database does not answer.\n")


@pytest.mark.long
def test_a_child_that_dies_at_each_start_ends_everything(make_parent: MakeParent) -> None:
    parent = make_parent(2)
    let(parent, 0, "die")
    assert parent.launch().end() == 1
    assert parent.output.endswith("Worker 0 exited with status 3.\n")
    assert len(starts(parent, 0)) == MAX_FAILURES


@pytest.mark.long
def test_one_that_cannot_start_again_does_not_end_those_that_serve(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    [failing] = starts(parent, 1)
    let(parent, 1, "die")
    os.kill(failing, signal.SIGKILL)
    wait_until(lambda: len(starts(parent, 1)) > MAX_FAILURES)
    assert parent.ask()[0] == "0"
    let(parent, 0, "refuse")
    os.kill(starts(parent, 0)[0], signal.SIGKILL)
    assert parent.end() == 1
    assert parent.output.endswith("The toy does not want to.\n")


@pytest.mark.long
def test_children_stop_in_order_when_the_parent_is_killed(make_parent: MakeParent) -> None:
    parent = make_parent(2).start()
    children = parent.children()
    parent.kill()
    wait_until(lambda: not any(runs(child) for child in children))
    assert all((folder(parent, each) / "stopped").exists() for each in range(2))


@pytest.mark.long
def test_the_directory_is_held_until_the_last_child_has_ended(make_parent: MakeParent) -> None:
    parent = make_parent(1)
    let(parent, 0, "stay")
    [child] = parent.start().children()
    parent.kill()
    wait_until((folder(parent, 0) / "asked").exists)
    second = make_parent(1).launch()
    assert second.end() == 1
    assert "is using" in second.output
    os.kill(child, signal.SIGINT)
    wait_until(lambda: not runs(child))
    let(parent, 0, "")
    assert make_parent(1).start().stop() == 0


def test_each_child_is_replaced_and_no_send_fails(make_parent: MakeParent) -> None:
    parent = make_parent(3).start()
    before = parent.children()
    over = threading.Event()
    seen: list[set[int]] = []

    def look() -> None:
        while not over.is_set():
            seen.append({pid for _, pid in (parent.ask() for _ in range(3))})

    client = threading.Thread(target=look)
    client.start()
    parent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(starts(parent, 0)) == 2)
    parent.process.send_signal(signal.SIGHUP)  # while it is at it
    wait_until(lambda: [len(starts(parent, each)) for each in range(3)] == [3, 3, 3])
    over.set()
    client.join(PATIENCE)
    assert not client.is_alive()
    assert set.union(*seen) - set(before), "no new child has answered"
    assert parent.stop() == 0


@pytest.mark.long
def test_it_tells_the_numbers_of_all_and_who_gives_no_answer(make_parent: MakeParent) -> None:
    parent = make_parent(2)
    (folder(parent, 7) / SPOOL_FILE).touch()
    parent.start()

    def told(what: str, label: str = "worker") -> list[float | None]:
        numbers = parent.numbers()
        return [numbers.get(f'{what}{{{label}="{worker}"}}') for worker in (0, 1, 7)]

    wait_until(lambda: told("tallyroom_worker_up") == [1, 1, 1])
    pids = [starts(parent, each)[-1] for each in (0, 1, 7)]
    assert told("toy_pid", "spool") == pids
    os.kill(pids[1], signal.SIGSTOP)
    assert told("tallyroom_worker_up") == [1, 0, 1]
    assert told("tallyroom_worker_restarts_total") == [0, 0, 0]
    os.kill(pids[1], signal.SIGKILL)
    wait_until(lambda: told("tallyroom_worker_up") == [1, 1, 1])
    assert told("tallyroom_worker_restarts_total") == [0, 1, 0]
    assert told("toy_pid", "spool") == [pids[0], starts(parent, 1)[-1], pids[2]]
    assert parent.stop() == 0


def test_it_loads_neither_the_engine_nor_the_web_framework() -> None:
    code = "import json, sys, tallyroom.server.workers.parent; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.split(".")[0] for name in json.loads(run_child(code).stdout)}
    assert "tallyroom" in loaded
    assert loaded & {"chdb", "clickhouse_connect", "litestar", "uvicorn"} == set()


@pytest.mark.long
def test_clients_are_refused_as_soon_as_it_stops(make_parent: MakeParent) -> None:
    """Its children may take long, such as while the event store is away."""
    parent = make_parent(2)
    let(parent, 0, "stay")
    parent.start().process.send_signal(signal.SIGTERM)
    wait_until((folder(parent, 0) / "asked").exists)
    wait_until(parent.is_refused)
    os.kill(starts(parent, 0)[-1], signal.SIGINT)
    assert parent.end() == 0


@pytest.mark.long
def test_the_second_interrupt_is_passed_on(make_parent: MakeParent) -> None:
    parent = make_parent(1)
    let(parent, 0, "stay")
    parent.start()
    parent.process.send_signal(signal.SIGINT)
    wait_until((folder(parent, 0) / "asked").exists)
    assert parent.stop(signal.SIGINT) == 0


@pytest.mark.long
def test_a_spool_that_is_left_over_has_a_child_that_serves_nobody(make_parent: MakeParent) -> None:
    parent = make_parent(1)
    for number in (1, 7):
        (folder(parent, number) / SPOOL_FILE).touch()
    folder(parent, 8)  # without a spool
    (parent.data / SPOOL_FILE).touch()
    parent.start()
    left = [parent.data, folder(parent, 1), folder(parent, 7)]
    wait_until(lambda: all((each / "starts").exists() for each in left))
    assert {parent.ask()[0] for _ in range(10)} == {"0"}
    assert parent.stop() == 0
    assert not (folder(parent, 8) / "starts").exists()
