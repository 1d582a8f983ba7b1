"""deploy/clickhouse: the engine knows each setting of the server's configuration, and reads each statement of rights."""

from pathlib import Path
from xml.etree.ElementTree import parse

import chdb

FOLDER = Path(__file__).parents[2] / "deploy" / "clickhouse"
OTHERS = {"logger"}  # a part with settings of its own


def test_the_engine_knows_each_setting() -> None:
    root = parse(FOLDER / "config.xml").getroot()
    values = {each.tag: each.text or "" for each in root if "remove" not in each.attrib and each.tag not in OTHERS}
    connection = chdb.connect(":memory:")
    try:
        known = connection.query("SELECT name, type FROM system.server_settings", "TabSeparated").bytes().decode()
        types = dict(line.split("\t") for line in known.splitlines())
    finally:
        connection.close()
    assert len(values) > 3
    assert set(values) <= set(types)
    assert [name for name in values if float(values[name]) < 0] == []
    assert [name for name in values if types[name].startswith("UInt") and not values[name].isdecimal()] == []


def test_what_is_left_out_are_logs() -> None:
    root = parse(FOLDER / "config.xml").getroot()
    assert {each.tag.rpartition("_")[2] for each in root if "remove" in each.attrib} == {"log"}


def test_the_engine_reads_each_statement_of_rights() -> None:
    statements = [query.text or "" for query in parse(FOLDER / "users.xml").iterfind("users/*/grants/query")]
    connection = chdb.connect(":memory:")
    try:
        for statement in statements:
            told = connection.query(f"SELECT formatQuerySingleLine('{statement} TO x')", "TabSeparatedRaw")
            assert told.bytes().decode().strip() == f"{statement} TO x"
    finally:
        connection.close()
    assert len(statements) > 3
