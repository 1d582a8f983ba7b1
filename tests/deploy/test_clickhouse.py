"""deploy/clickhouse: the engine knows each setting of the server's configuration, and reads each statement of rights."""

from pathlib import Path
from xml.etree.ElementTree import parse

from harness.servers.child import run_child

FOLDER = Path(__file__).parents[2] / "deploy" / "clickhouse"
OTHERS = {"logger"}  # a part with settings of its own

# A process has one engine at most, and that of the tests may have one already.
ASK = """
import sys, chdb
connection = chdb.connect(":memory:")
for query in sys.argv[1:]:
    sys.stdout.write(connection.query(query, "TabSeparatedRaw").bytes().decode())
connection.close()
"""


def asked(*queries: str) -> list[str]:
    """The lines with which the engine answers."""
    return run_child(ASK, *queries).stdout.splitlines()


def test_the_engine_knows_each_setting() -> None:
    root = parse(FOLDER / "config.xml").getroot()
    values = {each.tag: each.text or "" for each in root if "remove" not in each.attrib and each.tag not in OTHERS}
    types = dict(line.split("\t") for line in asked("SELECT name, type FROM system.server_settings"))
    assert len(values) > 3
    assert set(values) <= set(types)
    assert [name for name in values if float(values[name]) < 0] == []
    assert [name for name in values if types[name].startswith("UInt") and not values[name].isdecimal()] == []


def test_what_is_left_out_are_logs() -> None:
    root = parse(FOLDER / "config.xml").getroot()
    assert {each.tag.rpartition("_")[2] for each in root if "remove" in each.attrib} == {"log"}


def test_the_engine_reads_each_statement_of_rights() -> None:
    statements = [query.text or "" for query in parse(FOLDER / "users.xml").iterfind("users/*/grants/query")]
    told = asked(*(f"SELECT formatQuerySingleLine('{statement} TO x')" for statement in statements))
    assert told == [f"{statement} TO x" for statement in statements]
    assert len(statements) > 3
