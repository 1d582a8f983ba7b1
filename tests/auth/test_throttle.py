"""Guessing gets nowhere, and an owner gets in whatever others do (rules/people#guessing)."""

from typing import Any

import pytest

from tallyroom.auth.throttle import Throttle
from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.local import LocalAttemptLimits

VICTIM = "owner@example.com"
HOME = "203.0.113.9"


@pytest.fixture
def attempts(fake_clock: Any) -> LocalAttemptLimits:
    return LocalAttemptLimits(fake_clock)


@pytest.fixture
def throttle(attempts: LocalAttemptLimits) -> Throttle:
    return Throttle(attempts)


async def admitted(throttle: Throttle, email: str, network: str, *, familiar: bool = False) -> bool:
    """Whether a wrong password would be looked at."""
    try:
        await throttle.count_sign_in_attempt(email, network, is_familiar=familiar)
    except RateLimited:
        return False
    return True


def networks(count: int) -> list[str]:
    return [f"198.51.{number >> 8}.{number & 255}" for number in range(count)]


async def test_of_ten_thousand_guesses_at_once_ten_are_looked_at(throttle: Throttle) -> None:
    assert sum([await admitted(throttle, VICTIM, HOME) for _ in range(10_000)]) == 10


async def test_of_ten_thousand_guesses_in_an_hour_not_fifty_are_looked_at(throttle: Throttle, fake_clock: Any) -> None:
    looked_at = 0
    for _ in range(10_000):
        looked_at += await admitted(throttle, VICTIM, HOME)
        fake_clock.advance(0.36)
    assert looked_at == 10 + 39  # one more every 90 seconds


async def test_of_ten_thousand_guesses_in_an_hour_from_everywhere_not_a_hundred_are_looked_at(
    throttle: Throttle, fake_clock: Any
) -> None:
    looked_at = 0
    for network in networks(10_000):
        looked_at += await admitted(throttle, VICTIM, network)
        fake_clock.advance(0.36)
    assert looked_at == 50 + 49  # one more every 72 seconds


async def test_one_place_does_not_get_further_with_many_accounts(throttle: Throttle, fake_clock: Any) -> None:
    looked_at = 0
    for number in range(10_000):
        looked_at += await admitted(throttle, f"user{number}@example.com", HOME)
        fake_clock.advance(0.36)
    assert looked_at == 60 + 239  # one more every 15 seconds


async def test_an_account_of_his_own_gives_a_guesser_no_more(throttle: Throttle) -> None:
    looked_at = 0
    for number in range(1000):
        looked_at += await admitted(throttle, f"user{number}@example.com", HOME)
        if await admitted(throttle, "guesser@example.com", HOME):
            await throttle.clear_after_sign_in("guesser@example.com", HOME)
    assert looked_at == 60


async def test_right_passwords_do_not_count(throttle: Throttle) -> None:
    for number in range(1000):
        email = f"user{number % 30}@example.com"
        await throttle.count_sign_in_attempt(email, HOME, is_familiar=False)
        await throttle.clear_after_sign_in(email, HOME)


async def test_a_right_password_starts_the_count_anew(throttle: Throttle) -> None:
    for _ in range(5):
        for _ in range(9):
            await throttle.count_sign_in_attempt(VICTIM, HOME, is_familiar=False)
        await throttle.count_sign_in_attempt(VICTIM, HOME, is_familiar=False)
        await throttle.clear_after_sign_in(VICTIM, HOME)


async def test_attempts_count_before_they_are_judged(throttle: Throttle) -> None:
    """A hundred at once are not all admitted because none has failed yet."""
    assert sum([await admitted(throttle, VICTIM, HOME) for _ in range(100)]) == 10


async def test_an_attack_from_everywhere_leaves_familiar_places_open(throttle: Throttle, fake_clock: Any) -> None:
    for _ in range(24):
        for network in networks(200):
            await admitted(throttle, VICTIM, network)
        fake_clock.advance(3600)
    for network in networks(200):
        await admitted(throttle, VICTIM, network)
    assert not await admitted(throttle, VICTIM, "192.0.2.1")
    assert await admitted(throttle, VICTIM, HOME, familiar=True)


async def test_an_attack_never_closes_an_account_for_good(throttle: Throttle, fake_clock: Any) -> None:
    for network in networks(200):
        await admitted(throttle, VICTIM, network)
    with pytest.raises(RateLimited) as refusal:
        await throttle.count_sign_in_attempt(VICTIM, HOME, is_familiar=False)
    fake_clock.advance(int(refusal.value.headers["retry-after"]))
    await throttle.count_sign_in_attempt(VICTIM, HOME, is_familiar=False)


async def test_a_mailed_link_starts_the_count_anew(throttle: Throttle) -> None:
    for network in networks(200):
        await admitted(throttle, VICTIM, network)
    await throttle.clear_sign_in_attempts(VICTIM, HOME)
    assert await admitted(throttle, VICTIM, HOME)


async def test_a_familiar_place_may_not_guess_either(throttle: Throttle) -> None:
    assert sum([await admitted(throttle, VICTIM, HOME, familiar=True) for _ in range(1000)]) == 10


@pytest.mark.parametrize(
    ("network", "policy"),
    [(HOME, '"sign-in";q=10;w=900'), ("192.0.2.1", '"sign-in-account";q=50;w=3600')],
)
async def test_a_refusal_says_when_to_come_back(throttle: Throttle, fake_clock: Any, network: str, policy: str) -> None:
    for other in [HOME] * 10 + networks(100):
        await admitted(throttle, VICTIM, other)
    fake_clock.advance(0.5)
    with pytest.raises(RateLimited) as refusal:
        await throttle.count_sign_in_attempt(VICTIM, network, is_familiar=False)
    wait = refusal.value.headers["retry-after"]
    assert refusal.value.headers == {
        "retry-after": wait,
        "ratelimit-policy": policy,
        "ratelimit": f"{policy.partition(';')[0]};r=0;t={wait}",
    }
    fake_clock.advance(int(wait) - 1)
    assert not await admitted(throttle, VICTIM, network)
    fake_clock.advance(1)
    assert await admitted(throttle, VICTIM, network)


async def test_a_refused_attempt_does_not_count(throttle: Throttle, fake_clock: Any) -> None:
    for _ in range(100):
        await admitted(throttle, VICTIM, HOME)
    fake_clock.advance(900)
    assert sum([await admitted(throttle, VICTIM, HOME) for _ in range(100)]) == 10
    assert sum([await admitted(throttle, VICTIM, "192.0.2.1") for _ in range(100)]) == 10


async def test_what_a_client_sends_takes_no_room(throttle: Throttle, attempts: LocalAttemptLimits) -> None:
    await admitted(throttle, "x" * 100_000, HOME)
    assert {len(key) for key in attempts._buckets_by_allotment["sign-in"]._empty_at_by_key} == {16}


async def test_a_signed_in_thief_guesses_ten_times(throttle: Throttle, fake_clock: Any) -> None:
    async def tries() -> int:
        for number in range(100):
            try:
                await throttle.count_password_attempt("user")
            except RateLimited:
                return number
        return 100

    assert await tries() == 10
    await throttle.count_password_attempt("somebody else")
    await throttle.clear_password_attempts("user")
    assert await tries() == 10
    fake_clock.advance(90)
    assert await tries() == 1


async def test_tokens_are_tried_thirty_times_from_one_network(throttle: Throttle) -> None:
    for _ in range(100):
        await throttle.count_token_attempt(HOME)
        await throttle.undo_token_attempt(HOME)
    for _ in range(30):
        await throttle.count_token_attempt(HOME)
    with pytest.raises(RateLimited):
        await throttle.count_token_attempt(HOME)
    await throttle.count_token_attempt("192.0.2.1")


async def test_nobody_is_mailed_more_than_three_times_at_once(throttle: Throttle, fake_clock: Any) -> None:
    for network in networks(3):
        await throttle.count_mail_request(VICTIM, network)
    with pytest.raises(RateLimited):
        await throttle.count_mail_request(VICTIM, HOME)
    fake_clock.advance(1200)
    await throttle.count_mail_request(VICTIM, HOME)


async def test_one_place_asks_for_twenty_mails(throttle: Throttle) -> None:
    for number in range(20):
        await throttle.count_mail_request(f"user{number}@example.com", HOME)
    with pytest.raises(RateLimited):
        await throttle.count_mail_request("another@example.com", HOME)


async def test_nobody_is_invited_more_than_five_times_at_once(throttle: Throttle, fake_clock: Any) -> None:
    for number in range(5):
        await throttle.count_invite(VICTIM, f"admin{number}")
    with pytest.raises(RateLimited):
        await throttle.count_invite(VICTIM, "another admin")
    await throttle.count_invite("somebody@example.com", "another admin")
    fake_clock.advance(600)
    await throttle.count_invite(VICTIM, "another admin")


async def test_one_admin_invites_a_hundred_people_at_once(throttle: Throttle, fake_clock: Any) -> None:
    for number in range(100):
        await throttle.count_invite(f"user{number}@example.com", "admin")
    with pytest.raises(RateLimited):
        await throttle.count_invite("another@example.com", "admin")
    await throttle.count_invite("another@example.com", "another admin")
    fake_clock.advance(60)
    await throttle.count_invite("one-more@example.com", "admin")
