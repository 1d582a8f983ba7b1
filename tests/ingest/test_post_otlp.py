"""Which bodies wait for one another."""

from tallyroom.ingest.post_otlp import OtlpReadLocks


def test_a_large_body_waits_for_another_one_and_no_small_body_waits_for_it() -> None:
    limits = OtlpReadLocks()
    assert limits.choose_lock(250_001) is limits.choose_lock(64_000_000)
    assert limits.choose_lock(0) is limits.choose_lock(250_000)
    assert limits.choose_lock(250_000) is not limits.choose_lock(250_001)
