"""Passwords are checked with bounded memory, and an unknown account costs the same work."""

import asyncio
import threading
import time

import pytest
from argon2 import extract_parameters

from tallyroom.auth.passwords import Passwords, Verdict, passwords_of
from tallyroom.auth.prepared_password import PreparedPassword, prepare_new
from tallyroom.core.settings import Settings

HORSE = PreparedPassword("correct horse")
TYPED, COMPOSED = "rose\u0301\u00a0au lait", prepare_new("ros\u00e9 au lait", "password")


@pytest.fixture
def passwords() -> Passwords:
    return Passwords(time_cost=1, memory_kib=8)


async def test_only_the_right_password_matches(passwords: Passwords) -> None:
    stored = await passwords.hash(HORSE)
    assert await passwords.verify(stored, HORSE) == Verdict(right=True)
    assert await passwords.verify(stored, "correct horse ") == Verdict(right=False)


async def test_an_unknown_account_never_matches(passwords: Passwords) -> None:
    assert await passwords.verify(None, "no account has this password") == Verdict(right=False)


async def test_an_account_without_a_usable_hash_never_matches(passwords: Passwords) -> None:
    assert await passwords.verify("!", "anything at all") == Verdict(right=False)


async def test_the_same_password_is_stored_differently(passwords: Passwords) -> None:
    assert await passwords.hash(HORSE) != await passwords.hash(HORSE)


async def test_the_parameters_are_those_of_the_design() -> None:
    parameters = extract_parameters(await passwords_of(Settings()).hash(HORSE))
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
    monkeypatch.setattr(passwords, "_matches", matches)
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
    assert await passwords.verify(stored, TYPED) == Verdict(right=True)
    old = passwords._hasher.hash(TYPED)
    verdict = await passwords.verify(old, TYPED)
    assert verdict.right
    assert verdict.new_hash is not None
    for typed in (TYPED, COMPOSED):
        assert await passwords.verify(verdict.new_hash, typed) == Verdict(right=True)
    assert await passwords.verify(old, COMPOSED) == Verdict(right=False)


async def test_an_old_password_that_could_not_be_set_now_stays_right(passwords: Passwords) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 is my family"
    assert await passwords.verify(passwords._hasher.hash(family), family) == Verdict(right=True)
    assert await passwords.verify(passwords._hasher.hash(""), "") == Verdict(right=True)


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

    monkeypatch.setattr(passwords, "_matches", matches)
    await asyncio.gather(*(passwords.verify("x", "y") for _ in range(12)))
    assert most == 2
