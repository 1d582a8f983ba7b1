"""Passwords are checked with bounded memory, and an unknown account costs the same work."""

import asyncio
import threading
import time

import pytest
from argon2 import extract_parameters

from tallyroom.auth.passwords import Passwords, passwords_of
from tallyroom.core.settings import Settings


@pytest.fixture
def passwords() -> Passwords:
    return Passwords(time_cost=1, memory_kib=8)


async def test_only_the_right_password_matches(passwords: Passwords) -> None:
    stored = await passwords.hash("correct horse")
    assert await passwords.verify(stored, "correct horse")
    assert not await passwords.verify(stored, "correct horse ")


async def test_an_unknown_account_never_matches(passwords: Passwords) -> None:
    assert not await passwords.verify(None, "no account has this password")


async def test_an_account_without_a_usable_hash_never_matches(passwords: Passwords) -> None:
    assert not await passwords.verify("!", "anything at all")


async def test_the_same_password_is_stored_differently(passwords: Passwords) -> None:
    assert await passwords.hash("correct horse") != await passwords.hash("correct horse")


async def test_the_parameters_are_those_of_the_design() -> None:
    parameters = extract_parameters(await passwords_of(Settings()).hash("correct horse"))
    assert (parameters.type.name, parameters.time_cost, parameters.memory_cost) == ("ID", 2, 19456)


async def test_an_unknown_account_costs_the_same_hash(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def matches(password_hash: str, _password: str) -> bool:
        checked.append(password_hash)
        return False

    monkeypatch.setattr(passwords, "_matches", matches)
    await passwords.verify(await passwords.hash("correct horse"), "wrong")
    await passwords.verify(None, "wrong")
    known, unknown = (extract_parameters(each) for each in checked)
    assert known == unknown


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
