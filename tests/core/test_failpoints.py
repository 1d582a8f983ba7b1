"""Exactly the faults that were asked for, and none otherwise."""

import threading

import pytest

from harness.servers.child import run_child
from tallyroom.core import failpoints
from tallyroom.core.failpoints import InjectedFault, configure, hit, release
from tallyroom.core.load_settings import SettingsError


def test_without_failpoints_nothing_happens() -> None:
    for name in failpoints.FAILPOINTS:
        hit(name)
    hit("no such place")


def test_an_error_is_raised_at_its_place_alone() -> None:
    configure("store.insert=error")
    hit("drain.mark.after")
    for _ in range(2):
        with pytest.raises(InjectedFault, match=r"store\.insert"):
            hit("store.insert")
    configure("")
    hit("store.insert")


def test_the_nth_time_counts() -> None:
    configure(" store.insert=error@3 , drain.mark.after=error,")
    hit("store.insert")
    hit("store.insert")
    with pytest.raises(InjectedFault):
        hit("store.insert")
    with pytest.raises(InjectedFault):
        hit("drain.mark.after")


def test_a_block_of_some_seconds_happens_once(monkeypatch: pytest.MonkeyPatch) -> None:
    configure("store.insert=block:0.05")
    waits: list[float] = []
    monkeypatch.setattr(failpoints._release_event, "wait", waits.append)
    hit("store.insert")
    hit("store.insert")
    assert waits == [0.05]


def test_a_block_ends_when_it_is_released() -> None:
    configure("store.insert=block")
    thread = threading.Thread(target=hit, args=["store.insert"])
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    release()
    thread.join(5)
    assert not thread.is_alive()


def test_a_kill_is_a_kill() -> None:
    code = "from tallyroom.core import failpoints as f; f.configure('store.insert=kill@2'); f.hit('store.insert'); print(1, flush=True); f.hit('store.insert'); print(2)"
    assert run_child(code, exits=-9).stdout == "1\n"


@pytest.mark.parametrize(
    "spec",
    [
        "store.insert",
        "store.insert=explode",
        "nowhere=error",
        "=error",
        "store.insert=",
        "store.insert=block:x",
        "store.insert=error@x",
    ],
)
def test_what_is_not_understood_is_refused_in_a_sentence(spec: str) -> None:
    with pytest.raises(SettingsError, match="TALLYROOM_FAILPOINTS"):
        configure(spec)
