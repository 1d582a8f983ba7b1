"""A server that will not do is refused before anything is read or written."""

import re

import msgspec
import pytest

from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.stores.event_store import LIMITS
from harness.suite.few import few
from tallyroom.core.event_server import EventServer, Login
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.server.connection import ServerConnection, open_writing_client
from tallyroom.storage.event_store.backend.server.requirements import (
    READER_RIGHTS,
    WRITER_RIGHTS,
    EventServerUnusable,
    check_requirements,
)
from tallyroom.storage.event_store.backend.sql_text import quote_identifier


@pytest.fixture
def server(events_server: FrontServer) -> EventServer:
    return events_server.fresh()


def check(server: EventServer, limits: ReadLimits) -> None:
    check_requirements(server, limits, lambda: ServerConnection(open_writing_client(server)))


def refusal(server: EventServer) -> str:
    with pytest.raises(EventServerUnusable) as refused:
        check(server, LIMITS)
    assert "secret" not in refused.value.message
    return refused.value.message


def named(right: str, server: EventServer) -> str:
    return right.format(database=quote_identifier(server.database))


def refusal_without(right: str, front: FrontServer, server: EventServer, *, skipped: int = 0) -> str:
    """What is said if the first user, or the next one, lacks one right."""
    front.let(
        Fault(kind="said", on="CHECK GRANT SELECT ON [^\\n]*, ", skipped=skipped, text="0\n"),
        Fault(kind="said", on=f"CHECK GRANT {re.escape(named(right, server))}(?:\\n|$)", text="0\n"),
    )
    return refusal(server)


def says_it_is(version: str) -> Fault:
    return Fault(kind="said", on=r"SELECT version\(\), timezone\(\)", text=f"{version}\tUTC\n")


def test_a_server_that_does_is_left_as_it_was(events_server: FrontServer, server: EventServer) -> None:
    events_server.asked()
    check(server, LIMITS)
    assert not [said for said in events_server.asked() if not said.startswith(("SELECT", "CHECK GRANT"))]


@pytest.mark.parametrize("version", ["25.8.1.1", "26.8.14.4", "9.9"])
def test_a_server_that_is_older_than_tested(events_server: FrontServer, server: EventServer, version: str) -> None:
    """It refuses settings that it does not know, and that is not what is said."""
    events_server.let(
        says_it_is(version),
        Fault(
            kind="failed", on="SELECT length", text="Code: 115. DB::Exception: Setting is neither builtin nor custom."
        ),
    )
    said = f"The ClickHouse server {server.address} has version {version}. Upgrade it to 26.9 or newer."
    assert refusal(server) == said


@pytest.mark.long
@pytest.mark.parametrize("version", ["26.9.2.1", "26.10.1.1", "27.1.1.1"])
def test_a_server_that_is_newer(events_server: FrontServer, server: EventServer, version: str) -> None:
    events_server.let(says_it_is(version))
    check(server, LIMITS)


@few(2, "right", WRITER_RIGHTS)
def test_a_writer_that_lacks_a_right(events_server: FrontServer, server: EventServer, right: str) -> None:
    assert refusal_without(right, events_server, server).endswith(f"lacks rights: GRANT {named(right, server)}.")


@pytest.mark.parametrize("right", READER_RIGHTS)
def test_a_reader_that_lacks_a_right(events_server: FrontServer, server: EventServer, right: str) -> None:
    said = refusal_without(right, events_server, server, skipped=1)
    assert said.endswith(
        f"The user {server.reader.user} of the ClickHouse server {server.address} lacks rights: "
        f"GRANT {named(right, server)}."
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "right", ["INSERT ON {}", "ALTER ON {}", "DROP ON {}", "FILE ON *.*", "URL ON *.*", "S3 ON *.*"]
)
def test_a_reader_that_may_do_more(events_server: FrontServer, server: EventServer, right: str) -> None:
    database = f"{quote_identifier(server.database)}.*"
    right = right.replace("{}", database)
    asked = f"CHECK GRANT {right}".replace("*", r"\*")
    events_server.let(Fault(kind="said", on=asked, text="1\n"))
    assert refusal(server).endswith(f"must be read-only: REVOKE {right}.")


@pytest.mark.parametrize("who", ["writer", "reader"])
def test_a_password_that_is_wrong(server: EventServer, who: str) -> None:
    wrong = Login("writes", "secret2")
    said = refusal(server._replace(writer=wrong) if who == "writer" else server._replace(reader=wrong))
    assert "Authentication failed" in said


def test_a_database_that_is_missing(server: EventServer) -> None:
    assert "does_not_exist" in refusal(server._replace(database="does_not_exist"))


def test_a_server_that_is_not_there(server: EventServer) -> None:
    said = f"The ClickHouse server 127.0.0.1:1/{server.database} does not respond: [Errno 111] Connection refused"
    assert refusal(server._replace(port=1)) == said


@pytest.mark.parametrize("limit", ["memory_bytes", "max_rows"])
def test_limits_that_the_server_does_not_allow(server: EventServer, limit: str) -> None:
    with pytest.raises(EventServerUnusable, match="cannot be used"):
        check(server, msgspec.structs.replace(LIMITS, **{limit: -1}))


def test_a_text_that_must_not_be_longer_than_usual(events_server: FrontServer, server: EventServer) -> None:
    said = "Code: 452. DB::Exception: Setting max_query_size should not be changed."
    events_server.let(Fault(kind="failed", on=r"SELECT length\(CAST", skipped=1, text=said))
    assert "max_query_size" in refusal(server)
