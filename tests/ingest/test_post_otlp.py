"""Which bodies wait for one another."""

from tallyroom.ingest.post_otlp import OtlpLimits


def test_a_large_body_waits_for_another_one_and_no_small_body_waits_for_it() -> None:
    limits = OtlpLimits()
    assert limits.turn(250_001) is limits.turn(64_000_000)
    assert limits.turn(0) is limits.turn(250_000)
    assert limits.turn(250_000) is not limits.turn(250_001)
