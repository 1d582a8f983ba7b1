"""A number never comes back."""

from tallyroom.cluster.postgresql.change_numbers import ChangeNumbers


def test_before_anybody_tells_each_look_finds_another_number() -> None:
    numbers = ChangeNumbers()
    assert len({numbers.of("access") for _ in range(5)}) == 5


def test_a_number_stays_until_it_moves_and_does_not_go_back() -> None:
    numbers = ChangeNumbers()
    numbers.begin({"access": 7, "listing": 3})
    first, other = numbers.of("access"), numbers.of("listing")
    assert numbers.of("access") == first
    numbers.move({"access": 9})
    second = numbers.of("access")
    numbers.move({"access": 8})
    assert numbers.of("access") == second != first
    assert numbers.of("listing") == other


def test_after_a_doubt_no_number_is_one_of_before_even_if_the_database_went_back() -> None:
    numbers = ChangeNumbers()
    seen = []
    for known in (7, 7, 6):
        numbers.begin({"access": known, "listing": 0})
        seen.append(numbers.of("access"))
        numbers.doubt()
        seen.append(numbers.of("access"))
    assert len(set(seen)) == 6


def test_whoever_trusts_until_a_moment_for_which_others_wait_doubts_nothing_before() -> None:
    now = [0.0]
    numbers = ChangeNumbers(lambda: now[0])
    numbers.begin({"access": 7, "listing": 0})
    numbers.trust(until=8)
    seen = numbers.of("access")
    numbers.doubt()
    assert numbers.of("access") == seen
    now[0] = 8
    assert numbers.of("access") != numbers.of("access")
