"""Numbers as no chart expects them: tiny or huge, below zero, all the same, zero or missing."""

from collections.abc import Callable
from random import Random

from tallyroom.queries.values import Value


def random_values(random: Random, count: int) -> list[Value]:
    """Return values of one kind: counts, fractions, signed ones, tiny or huge ones, the same one, zeros, or none."""
    style = random.choice(
        [
            "counts",
            "counts",
            "few",
            "fractions",
            "signed",
            "below zero",
            "tiny",
            "huge",
            "close",
            "same",
            "zero",
            "null",
        ]
    )
    size = 10.0 ** random.uniform(0, 7)
    constant = random_number(random)
    draw_by_style: dict[str, Callable[[], Value]] = {
        "counts": lambda: int(random.uniform(0, size)),
        "few": lambda: random.randint(0, 3),
        "fractions": lambda: random.uniform(0, size),
        "signed": lambda: round(random.uniform(-size, size), random.choice([0, 2])),
        "below zero": lambda: -random.uniform(0.5, 1) * size,
        "tiny": lambda: random.uniform(0, 1) * 1e-9,
        "huge": lambda: random.uniform(0, 1) * 1e15,
        "close": lambda: size + random.uniform(0, size * 1e-4),
        "same": lambda: constant,
        "zero": lambda: 0,
        "null": lambda: None,
    }
    values = [draw_by_style[style]() for _ in range(count)]
    gap_share = random.choice([0, 0, 0, 0.05, 0.5])
    return [None if random.random() < gap_share else value for value in values]


def random_number(random: Random) -> float:
    """Return a number: small or large, whole or not, above or below zero."""
    return random.choice(
        [
            random.randint(0, 20),
            random.randint(-50, 50),
            int(10 ** random.uniform(0, 15)),
            round(random.uniform(-1_000, 1_000), 2),
            10 ** random.uniform(-9, 15),
            1_000 * random.randint(1, 10_000),
        ]
    )


def random_pair(random: Random) -> tuple[Value, Value]:
    """Return a number and the one before: unlike, alike, the same, or missing."""
    value = random_number(random)
    factor = random.choice([random.uniform(0.9, 1.1), random.uniform(0, 5), 1, -1, 10 ** random.uniform(-3, 3)])
    previous = random.choice([value * factor, value * factor, round(value * factor), random_number(random), 0, None])
    return random.choice([value, value, value, value, 0, None]), previous
