"""`bots/durations.py`: percentiles."""

from tallyroom_client.bots.durations import Durations


def test_percentiles_are_of_the_durations_since_they_were_last_taken() -> None:
    durations = Durations()
    for milliseconds in range(100, 0, -1):
        durations.add(milliseconds)
    assert durations.take_percentiles(50, 95, 100) == [50, 95, 100]
    assert durations.take_percentiles(50) == [None]
    durations.add(7.26)
    assert durations.take_percentiles(50, 95) == [7.3, 7.3]
