"""Passwords are checked with bounded memory, and an unknown account costs the same work."""

import asyncio
import threading
import time

import pytest
from argon2 import extract_parameters

from tallyroom.auth.caller import Caller
from tallyroom.auth.passwords import MAX_WAITING, Passwords, Verdict, build_passwords
from tallyroom.auth.prepared_password import PreparedPassword, prepare_new_password
from tallyroom.core.errors import Unavailable
from tallyroom.core.settings import Settings
from tallyroom.rest.disconnect import Presence

HORSE = PreparedPassword("correct horse")
TYPED, COMPOSED = "rose\u0301\u00a0au lait", prepare_new_password("ros\u00e9 au lait", "password")


@pytest.fixture
def passwords() -> Passwords:
    return Passwords(time_cost=1, memory_kib=8)


async def test_only_the_right_password_matches(passwords: Passwords) -> None:
    stored = await passwords.hash(HORSE)
    assert await passwords.verify(stored, HORSE) == Verdict(is_right=True)
    assert await passwords.verify(stored, "correct horse ") == Verdict(is_right=False)


async def test_an_unknown_account_never_matches(passwords: Passwords) -> None:
    assert await passwords.verify(None, "no account has this password") == Verdict(is_right=False)


async def test_an_account_without_a_usable_hash_never_matches(passwords: Passwords) -> None:
    assert await passwords.verify("!", "anything at all") == Verdict(is_right=False)


async def test_the_same_password_is_stored_differently(passwords: Passwords) -> None:
    assert await passwords.hash(HORSE) != await passwords.hash(HORSE)


async def test_the_parameters_are_those_of_the_design() -> None:
    parameters = extract_parameters(await build_passwords(Settings()).hash(HORSE))
    assert (parameters.type.name, parameters.time_cost, parameters.memory_cost) == ("ID", 2, 19456)


@pytest.mark.parametrize(("typed", "hashes"), [("wrong", 1), (TYPED, 2), ("wrong\u200d", 1)])
async def test_an_unknown_account_costs_the_same_hashes(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch, typed: str, hashes: int
) -> None:
    checked: list[tuple[str, str]] = []

    def matches(password_hash: str, password: str) -> bool:
        checked.append((password_hash, password))
        return False

    stored = await passwords.hash(HORSE)
    monkeypatch.setattr(passwords, "_is_hash_of", matches)
    await passwords.verify(stored, typed)
    known, unknown = list(checked), checked
    checked.clear()
    await passwords.verify(None, typed)
    for tried in (known, unknown):
        assert len(tried) == hashes
    assert [password for _, password in known] == [password for _, password in unknown]
    assert len({str(extract_parameters(each)) for each, _ in known + unknown}) == 1


async def test_what_was_typed_is_tried_where_its_prepared_form_does_not_fit_and_then_stored_in_that(
    passwords: Passwords,
) -> None:
    stored = await passwords.hash(COMPOSED)
    assert await passwords.verify(stored, TYPED) == Verdict(is_right=True)
    old = passwords._hasher.hash(TYPED)
    verdict = await passwords.verify(old, TYPED)
    assert verdict.is_right
    assert verdict.new_hash is not None
    for typed in (TYPED, COMPOSED):
        assert await passwords.verify(verdict.new_hash, typed) == Verdict(is_right=True)
    assert await passwords.verify(old, COMPOSED) == Verdict(is_right=False)


async def test_an_old_password_that_could_not_be_set_now_stays_right(passwords: Passwords) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 is my family"
    assert await passwords.verify(passwords._hasher.hash(family), family) == Verdict(is_right=True)
    assert await passwords.verify(passwords._hasher.hash(""), "") == Verdict(is_right=True)


async def test_at_most_two_run_at_once(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, running, most = threading.Lock(), 0, 0

    def matches(_hash: str, _password: str) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with lock:
            running -= 1
        return True

    monkeypatch.setattr(passwords, "_is_hash_of", matches)
    await asyncio.gather(*(passwords.verify("x", "y") for _ in range(12)))
    assert most == 2


def caller(network: str) -> Caller:
    return Caller(network, network, Presence())


class HeldHashes:
    """Hashes that wait until they may end, and what was checked, in that order."""

    def __init__(self, passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs, self.may_end, self.order = threading.Semaphore(0), threading.Event(), list[str]()
        monkeypatch.setattr(passwords, "_is_hash_of", self._matches)

    def _matches(self, _hash: str, password: str) -> bool:
        self.order.append(password)
        self.runs.release()
        assert self.may_end.wait(30)
        return False


async def until_two_run(held: HeldHashes) -> None:
    for _ in range(2):
        await asyncio.to_thread(held.runs.acquire)


async def test_who_is_familiar_goes_before_strangers_from_a_hundred_networks(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldHashes(passwords, monkeypatch)
    strangers = [
        asyncio.create_task(passwords.verify(None, f"stranger {number}", caller(f"10.0.{number}.0/24")))
        for number in range(100)
    ]
    await until_two_run(held)
    owner = asyncio.create_task(passwords.verify("!", "owner", caller("192.0.2.0/24"), "its owner"))
    await asyncio.sleep(0)
    held.may_end.set()
    await asyncio.gather(owner, *strangers)
    assert "owner" in held.order[:4]  # behind the two that ran, and with the one that runs at the same time
    assert len(held.order) == 101


@pytest.mark.parametrize(("accounts", "networks", "turns"), [(60, 1, 2), (1, 60, 1), (7, 8, 15)])
async def test_who_is_known_takes_turns_by_account_or_by_network(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch, accounts: int, networks: int, turns: int
) -> None:
    held = HeldHashes(passwords, monkeypatch)
    crowd = [
        asyncio.create_task(passwords.verify("!", "crowd", caller(f"10.0.{network}.0/24"), f"account {account}"))
        for account in range(accounts)
        for network in range(networks)
    ]
    await until_two_run(held)
    owner = asyncio.create_task(passwords.verify("!", "owner", caller("192.0.2.0/24"), "its owner"))
    await asyncio.sleep(0)
    held.may_end.set()
    await asyncio.gather(owner, *crowd)
    assert held.order.index("owner") <= 2 + turns  # behind the two that ran
    assert not passwords._waiting_count_by_key


async def test_beyond_the_bound_a_stranger_is_refused_and_who_is_familiar_is_not(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldHashes(passwords, monkeypatch)
    strangers = [
        asyncio.create_task(passwords.verify(None, "wrong", caller(f"10.0.{number}.0/24")))
        for number in range(2 + MAX_WAITING)
    ]
    await until_two_run(held)
    with pytest.raises(Unavailable) as refused:
        await passwords.verify(None, "wrong", caller("10.1.0.0/24"))
    assert refused.value.headers == {"retry-after": "5"}
    owner = asyncio.create_task(passwords.verify("!", "owner", caller("10.1.0.0/24"), "its owner"))
    await asyncio.sleep(0)
    held.may_end.set()
    await asyncio.gather(owner, *strangers)
    assert len(held.order) == 2 + MAX_WAITING + 1


@pytest.mark.parametrize("what", ["verify", "hash"])
async def test_an_attempt_that_was_abandoned_is_dropped_before_it_is_hashed(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    held = HeldHashes(passwords, monkeypatch)
    running = [asyncio.create_task(passwords.verify(None, "wrong", caller(f"10.0.{each}.0/24"))) for each in range(2)]
    await until_two_run(held)
    monkeypatch.setattr(passwords, "_hasher", None)  # a hash would fail
    gone = caller("10.1.0.0/24")
    work = passwords.verify(None, "abandoned", gone) if what == "verify" else passwords.hash(HORSE, gone)
    abandoned = asyncio.create_task(work)
    await asyncio.sleep(0)
    gone.presence.leave()
    with pytest.raises(asyncio.CancelledError):
        await abandoned
    held.may_end.set()
    await asyncio.gather(*running)
    assert held.order == ["wrong"] * 2
