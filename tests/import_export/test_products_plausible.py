"""Totals of days stay totals of days."""

from pathlib import Path

import pytest

from harness.oracles.import_outcome import imported
from tallyroom.import_export.products import NotPlausible

# The headers of the ten files of an export.
TABLES = {
    "visitors": "date,visitors,pageviews,bounces,visits,visit_duration",
    "sources": "date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,pageviews,visitors,visits,visit_duration,bounces",
    "pages": "date,hostname,page,visits,visitors,pageviews",
    "entry_pages": "date,entry_page,visitors,entrances,visit_duration,bounces,pageviews",
    "exit_pages": "date,exit_page,visitors,visit_duration,exits,bounces,pageviews",
    "custom_events": "date,name,link_url,path,visitors,events",
    "locations": "date,country,region,city,visitors,visits,visit_duration,bounces,pageviews",
    "devices": "date,device,visitors,visits,visit_duration,bounces,pageviews",
    "browsers": "date,browser,browser_version,visitors,visits,visit_duration,bounces,pageviews",
    "operating_systems": "date,operating_system,operating_system_version,visitors,visits,visit_duration,bounces,pageviews",
}


@pytest.mark.parametrize(("table", "header"), TABLES.items())
def test_each_table_is_known_by_its_columns(tmp_path: Path, table: str, header: str) -> None:
    columns = header.split(",")
    row = ",".join(["2023-02-09", *(["7"] * (len(columns) - 1))])
    [event] = imported(tmp_path / "a.csv", f"{header}\n{row}\n", "plausible")
    assert (event["name"], event["_timestamp"]) == (f"plausible.{table}", "2023-02-09T00:00:00")
    assert set(event["properties"]) == set(columns) - {"date"}
    assert event["properties"]["visitors"] == 7
    assert "_actor" not in event


def test_numbers_are_numbers_and_versions_are_text(tmp_path: Path) -> None:
    row = '"date","browser","browser_version","visitors","visits","visit_duration","bounces","pageviews"\n"2023-02-09","Safari","16.3",5,6,512,2,10\n'
    [event] = imported(tmp_path / "a.csv", row, "plausible", zone="Europe/Berlin")
    assert event == {
        "name": "plausible.browsers",
        "_timestamp": "2023-02-08T23:00:00.000Z",
        "properties": {
            "browser": "Safari",
            "browser_version": "16.3",
            "visitors": 5,
            "visits": 6,
            "visit_duration": 512,
            "bounces": 2,
            "pageviews": 10,
        },
    }


def test_custom_events_keep_their_name_as_a_property(tmp_path: Path) -> None:
    [event] = imported(
        tmp_path / "a.csv", f"{TABLES['custom_events']}\n2023-02-09,404,,/no-such-page,1,2\n", "plausible"
    )
    assert event["name"] == "plausible.custom_events"
    assert event["properties"] == {"name": "404", "path": "/no-such-page", "visitors": 1, "events": 2}


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", "date,x\n"), ("a.csv", "visitors,bounces\n"), ("a.ndjson", "{}")]
)
def test_other_files_are_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(NotPlausible, match="not one of the CSV files"):
        imported(tmp_path / name, content, "plausible")
