"""Two settings name a server and two users, and a refusal repeats no password."""

import pytest

from tallyroom.core.event_server import EventServer, Login, read_event_server

READER = "reads:s%40cret"
SERVER = EventServer(
    "store", 8123, uses_tls=False, database="tally", writer=Login("writes", "p/w:@"), reader=Login("reads", "s@cret")
)


@pytest.mark.parametrize(
    ("dsn", "server"),
    [
        ("clickhouse://writes:p%2Fw%3A%40@store/tally", SERVER),
        ("clickhouse://writes:p%2Fw%3A%40@store:9000/tally", SERVER._replace(port=9000)),
        ("clickhouses://writes:p%2Fw%3A%40@store/tally", SERVER._replace(port=8443, uses_tls=True)),
        ("clickhouse://writes@store/tally%2F1", SERVER._replace(database="tally/1", writer=Login("writes", ""))),
        (
            "clickhouse://writes@[::1]:1/t",
            SERVER._replace(host="::1", port=1, database="t", writer=Login("writes", "")),
        ),
    ],
)
def test_a_url_says_where_the_events_are(dsn: str, server: EventServer) -> None:
    assert read_event_server(dsn, READER) == server


@pytest.mark.parametrize(("host", "address"), [("store", "store:8123/tally"), ("::1", "[::1]:8123/tally")])
def test_an_address_has_no_password(host: str, address: str) -> None:
    assert SERVER._replace(host=host).address == address


@pytest.mark.parametrize(
    "dsn",
    [
        "store/tally",
        "http://writes:hidden@store/tally",
        "clickhouse://store/tally",
        "clickhouse://writes:hidden@/tally",
        "clickhouse://writes:hidden@store",
        "clickhouse://writes:hidden@store/",
        "clickhouse://writes:hidden@store/tally/more",
        "clickhouse://writes:hidden@store/tally?secure=1",
        "clickhouse://writes:hidden@store/tally#more",
        "clickhouse://writes:hidden@store:http/tally",
        "clickhouse://writes:hidden@store:99999/tally",
        "clickhouse://writes:hidden@[store/tally",
    ],
)
def test_what_is_no_such_url_is_refused(dsn: str) -> None:
    with pytest.raises(ValueError, match="TALLYROOM_EVENTS_DSN") as refused:
        read_event_server(dsn, READER)
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("reader", ["", ":hidden", "writes:hidden", "%77rites:hidden"])
def test_whoever_reads_is_another_user(reader: str) -> None:
    with pytest.raises(ValueError, match="TALLYROOM_EVENTS_READER") as refused:
        read_event_server("clickhouse://writes:p@store/tally", reader)
    assert "hidden" not in str(refused.value)
