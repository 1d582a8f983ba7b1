"""ingest.otlp.allowance: what all bodies together may hold."""

import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.ingest.otlp.allowance import Allowance


def test_it_is_shared_and_given_back() -> None:
    allowance = Allowance(100)
    with allowance.share() as first:
        first(60)
        with allowance.share() as second:
            second(40)
            with pytest.raises(Unavailable) as refused:
                second(1)
            assert int(refused.value.headers["retry-after"]) >= 1
            with pytest.raises(Unavailable):
                first(1)
        first(40)
    with allowance.share() as third:
        third(100)


def test_it_is_given_back_after_a_failure() -> None:
    allowance = Allowance(10)
    with allowance.share() as add:
        add(6)
        with pytest.raises(Unavailable):
            add(5)
    with allowance.share() as add:
        add(10)
