"""The form of keys, tokens and session tokens."""

import re
from collections.abc import Callable

import pytest

from tallyroom.auth.secrets import (
    hash_secret,
    is_plausible_key,
    is_plausible_personal_token,
    is_plausible_session_token,
    is_plausible_stats_token,
    mint_key,
    mint_personal_token,
    mint_session_token,
    mint_stats_token,
    visible_prefix,
)
from tallyroom.core.ids import BASE62, IdGenerator


@pytest.mark.parametrize(
    ("environment", "start"),
    [("production", "tr_live_"), ("development", "tr_test_"), ("staging", "tr_test_"), ("Production", "tr_test_")],
)
def test_a_key_tells_its_environment(environment: str, start: str) -> None:
    key = mint_key(IdGenerator(), environment)
    assert re.fullmatch(start + "[0-9A-Za-z]{38}", key)
    assert is_plausible_key(key)
    assert visible_prefix(key) == key[:12]


def test_keys_differ() -> None:
    assert len({mint_key(IdGenerator(), "production") for _ in range(1000)}) == 1000


def test_every_single_wrong_character_is_found() -> None:
    key = mint_key(IdGenerator(), "production")
    for at in range(len("tr_live_"), len(key)):
        other = BASE62[(BASE62.index(key[at]) + 1) % 62]
        assert not is_plausible_key(key[:at] + other + key[at + 1 :])


def test_swapped_neighbours_are_found() -> None:
    key = mint_key(IdGenerator(random_bytes=lambda size: bytes(range(size))), "production")
    assert not is_plausible_key(key[:10] + key[11] + key[10] + key[12:])


def test_the_checksum_covers_the_prefix() -> None:
    assert not is_plausible_key(mint_key(IdGenerator(), "production").replace("live", "test"))


@pytest.mark.parametrize("text", ["", "tr_live_", "tr_live_" + "0" * 38, "trs_" + "0" * 43, "x" * 100_000])
def test_noise_is_no_key(text: str) -> None:
    assert not is_plausible_key(text)


@pytest.mark.parametrize("change", [" {}", "{}\n", "{}0", "x{}", "{}\x00"])
def test_a_key_with_anything_around_it_is_no_key(change: str) -> None:
    assert not is_plausible_key(change.format(mint_key(IdGenerator(), "production")))


def test_a_session_token_is_no_key_and_the_reverse() -> None:
    token = mint_session_token(IdGenerator())
    assert re.fullmatch("trs_[0-9A-Za-z]{43}", token)
    assert is_plausible_session_token(token)
    assert not is_plausible_key(token)
    assert not is_plausible_session_token(mint_key(IdGenerator(), "production"))


KINDS: dict[str, tuple[Callable[[IdGenerator], str], Callable[[str], bool]]] = {
    "tr_stats_": (mint_stats_token, is_plausible_stats_token),
    "tr_pat_": (mint_personal_token, is_plausible_personal_token),
}


@pytest.mark.parametrize("prefix", KINDS)
def test_a_token_of_one_kind_is_none_of_another_and_no_key(prefix: str) -> None:
    mint, plausible = KINDS[prefix]
    token = mint(IdGenerator())
    assert re.fullmatch(prefix + "[0-9A-Za-z]{38}", token)
    assert [kind for kind, (_, is_one) in KINDS.items() if is_one(token)] == [prefix]
    assert not is_plausible_key(token)
    assert not is_plausible_session_token(token)
    assert not plausible(mint_key(IdGenerator(), "production"))
    assert not plausible("tr_live_" + token.removeprefix(prefix))
    other = "b" if token[20] == "a" else "a"
    assert not plausible(token[:20] + other + token[21:])
    assert not plausible(token + "\n")
    assert visible_prefix(token) == token[:12]


def test_what_is_stored_is_a_sha256() -> None:
    assert hash_secret("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
