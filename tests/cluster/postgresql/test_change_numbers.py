"""A number never comes back."""

from tallyroom.cluster.postgresql.change_numbers import ChangeNumbers


def test_before_anybody_tells_each_look_finds_another_number() -> None:
    numbers = ChangeNumbers()
    assert len({numbers.change_version("access") for _ in range(5)}) == 5


def test_a_number_stays_until_it_moves_and_does_not_go_back() -> None:
    numbers = ChangeNumbers()
    numbers.begin_listening({"access": 7, "listing": 3})
    first, other = numbers.change_version("access"), numbers.change_version("listing")
    assert numbers.change_version("access") == first
    numbers.advance({"access": 9})
    second = numbers.change_version("access")
    numbers.advance({"access": 8})
    assert numbers.change_version("access") == second != first
    assert numbers.change_version("listing") == other


def test_after_a_doubt_no_number_is_one_of_before_even_if_the_database_went_back() -> None:
    numbers = ChangeNumbers()
    seen = []
    for known in (7, 7, 6):
        numbers.begin_listening({"access": known, "listing": 0})
        seen.append(numbers.change_version("access"))
        numbers.distrust()
        seen.append(numbers.change_version("access"))
    assert len(set(seen)) == 6


def test_whoever_trusts_until_a_moment_for_which_others_wait_doubts_nothing_before() -> None:
    now = [0.0]
    numbers = ChangeNumbers(lambda: now[0])
    numbers.begin_listening({"access": 7, "listing": 0})
    numbers.trust(until=8)
    seen = numbers.change_version("access")
    numbers.distrust()
    assert numbers.change_version("access") == seen
    now[0] = 8
    assert numbers.change_version("access") != numbers.change_version("access")
