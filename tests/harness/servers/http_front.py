"""ClickHouse's HTTP interface in front of chDB: for tests only, where no ClickHouse server can be had.

It takes what the client of the product sends: statements with bound parameters and settings in the URL, blocks to
insert, two users of which one only reads. It is no ClickHouse server: it checks no rights beyond these, and has no
limits of its own. What it adds are the faults of a network, which a test asks for (`Fault`).
"""

import base64
import json
import re
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

import chdb
import msgspec

from tallyroom.storage.event_store.backend.sql_text import quote_literal

WRITER, READER = ("writes", "w@:/secret"), ("reads", "r@:/secret")
_NO_SETTINGS = {"query", "database", "query_id", "wait_end_of_query", "send_progress_in_http_headers"}
_MOST_IDLE = 20
_BLOCK = re.compile(rb"(INSERT INTO [^\n]*) FORMAT (\w+)\n")
_READS = re.compile(r"\s*(?:SELECT|WITH|CHECK|KILL|DESCRIBE|EXPLAIN)\b", re.IGNORECASE)
_RIGHT = re.compile(r"CHECK GRANT (SELECT|CHECK) ON")
_CODE = re.compile(r"Code: (\d+)")

Kind = Literal["unavailable", "refused", "cut", "lost", "late", "slow", "cut answer", "said", "failed"]


class Fault(msgspec.Struct, kw_only=True):
    """What happens to requests instead of what should.

    Attributes:
        kind: `unavailable` answers 503 as a proxy does; `refused` hangs up at once; `cut` hangs up in the middle of the
            request; `lost` does what was asked and hangs up; `late` hangs up, and does it `seconds` later; `slow` does
            it after `seconds`; `cut answer` hangs up in the middle of the answer; `said` answers `text`; `failed` fails
            with `text`.
        on: matches the beginning of the statements that it happens to.
        times: to how many of them.
        skipped: how many of them are left alone before.
        seconds: see `kind`.
        text: see `kind`.
    """

    kind: Kind
    on: str = ""
    times: int = 1
    skipped: int = 0
    seconds: float = 0.0
    text: str = ""


class _Failed(Exception):  # what the engine or the front says against a statement
    pass


class _Connections:
    """Connections of the engine, each for requests of the same settings; one that failed is not used again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._turn = threading.Lock()
        self._idle: OrderedDict[tuple[object, ...], list[Any]] = OrderedDict()

    @contextmanager
    def used(self, url: dict[str, str]) -> Iterator[Any]:
        """A connection with the settings of a request."""
        settings = {k: v for k, v in url.items() if k not in _NO_SETTINGS and not k.startswith("param_")}
        token = settings.pop("insert_deduplication_token", None)
        settings["log_comment"] = url.get("query_id", "")
        readonly = settings.pop("readonly", "0")
        key = (url.get("database", "default"), *sorted(settings.items()), readonly)
        with self._turn:
            found = self._idle.get(key)
            connection = found.pop() if found else None
        if connection is None:
            connection = chdb.connect(self._path)
            connection.query(f"USE `{key[0]}`")
            for name, value in settings.items():
                connection.query(f"SET {name} = {int(value) if value.isdecimal() else quote_literal(value)}")
            if readonly != "0":
                connection.query(f"SET readonly = {readonly}")
        try:
            if token is not None:
                connection.query(f"SET insert_deduplication_token = {quote_literal(token)}")
            yield connection
        except BaseException:
            connection.close()
            raise
        self._keep(key, connection)

    def _keep(self, key: tuple[object, ...], connection: Any) -> None:
        with self._turn:
            self._idle.setdefault(key, []).append(connection)
            self._idle.move_to_end(key)
            spare = self._idle.popitem(last=False)[1] if len(self._idle) > _MOST_IDLE else []
        for each in spare:
            each.close()


class _Front(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder: Path, address: str) -> None:
        super().__init__((address, 0), _Request)
        self.connections = _Connections(f"file:{folder}")
        self.turn = threading.Lock()
        self.faults: list[Fault] = []
        self.asked: list[str] = []

    def handle_error(self, *_: object) -> None:
        """A client that hung up is no news."""

    def fault_for(self, statement: str) -> Fault | None:
        with self.turn:
            self.asked.append(statement)
            for fault in self.faults:
                if re.match(fault.on, statement):
                    if fault.skipped:
                        fault.skipped -= 1
                        return None
                    fault.times -= 1
                    if not fault.times:
                        self.faults.remove(fault)
                    return msgspec.structs.replace(fault)
        return None


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer, whose head goes first, would wait 40 ms for a confirmation
    server: _Front

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:  # the name that the server looks for
        """Tell what was asked, and forget it."""
        with self.server.turn:
            asked, self.server.asked = self.server.asked, []
        self._answer(200, json.dumps(asked).encode())

    def do_PUT(self) -> None:  # the name that the server looks for
        """Replace the faults that wait."""
        faults = msgspec.json.decode(self._body(), type=list[Fault])
        with self.server.turn:
            self.server.faults = faults
        self._answer(200, b"")

    def do_POST(self) -> None:  # the name that the server looks for
        """Run a statement."""
        url = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self._body()
        sent = "\n".join(filter(None, (url.get("query", ""), body[:100_000].decode(errors="replace"))))
        fault = self.server.fault_for(sent)
        kind = fault.kind if fault else ""
        if fault is None or kind in {"lost", "cut answer", "slow"}:
            time.sleep(fault.seconds if fault else 0)
            self._run(url, body, kind)
        elif kind == "late":
            threading.Thread(target=self._later, args=(fault.seconds, url, body), daemon=True).start()
            self._hang_up()
        elif kind in {"refused", "cut"}:
            self._hang_up()
        elif kind == "unavailable":
            self._answer(503, b"no healthy upstream")
        elif kind == "said":
            self._answer(200, fault.text.encode())
        else:
            self._fail(fault.text)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _later(self, seconds: float, url: dict[str, str], body: bytes) -> None:
        time.sleep(seconds)
        self._result(url, body)

    def _run(self, url: dict[str, str], body: bytes, kind: str) -> None:
        try:
            answer = self._result(url, body)
        except _Failed as error:
            self._fail(str(error))
            return
        if kind == "lost":
            self._hang_up()
        elif kind == "cut answer":
            self._answer(200, answer, sent=len(answer) // 2)
            self._hang_up()
        else:
            self._answer(200, answer)

    def _result(self, url: dict[str, str], body: bytes) -> bytes:
        user = self._user()
        if "multipart" in self.headers.get("Content-Type", ""):
            raise _Failed("Code: 1. the front takes no forms")
        values = {k.removeprefix("param_"): v for k, v in url.items() if k.startswith("param_")}
        with _told(), self.server.connections.used(url) as connection:
            if block := _BLOCK.match(body):
                _refuse_reader(user, "INSERT")
                return _insert(connection, block, body)
            statement = "\n".join(filter(None, (url.get("query", ""), body.decode())))
            _refuse_reader(user, statement)
            if user == READER[0] and statement.startswith("CHECK GRANT"):
                return b"1\n" if _RIGHT.match(statement) else b"0\n"
            found = connection.query(_rewritten(statement), "TabSeparated", params=values)
            return bytes(found.bytes() or b"")

    def _user(self) -> str:
        scheme, _, encoded = self.headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(encoded).decode().partition(":") if scheme == "Basic" else ("", "", "")
        if (user, password) not in {WRITER, READER}:
            raise _Failed(f"Code: 516. DB::Exception: {user}: Authentication failed (AUTHENTICATION_FAILED)")
        return user

    def _fail(self, said: str) -> None:
        code = _CODE.search(said)
        self._answer(500, said.encode(), headers={"X-ClickHouse-Exception-Code": code[1]} if code else {})

    def _answer(
        self, status: int, body: bytes, *, sent: int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-ClickHouse-Server-Display-Name", "front")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:sent])

    def _hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise _Failed(error.object.decode(errors="replace")) from error
    except (RuntimeError, chdb.ChdbError) as error:
        raise _Failed(str(error)) from error


def _refuse_reader(user: str, statement: str) -> None:
    if user == READER[0] and not _READS.match(statement):
        raise _Failed(f"Code: 497. DB::Exception: {user}: Not enough privileges. (ACCESS_DENIED)")


def _insert(connection: Any, block: "re.Match[bytes]", body: bytes) -> bytes:
    with tempfile.NamedTemporaryFile() as file:
        file.write(body[block.end() :])
        file.flush()
        connection.query(f"{block[1].decode()} FROM INFILE '{file.name}' FORMAT {block[2].decode()}")
    return b""


def _rewritten(statement: str) -> str:
    """Queries of the engine have no id that can be chosen; their comment has it instead."""
    return statement.replace("KILL QUERY WHERE query_id =", "KILL QUERY WHERE Settings['log_comment'] =")


if __name__ == "__main__":
    with _Front(Path(sys.argv[1]), sys.argv[2]) as front:
        sys.stdout.write(f"{front.server_port}\n")
        sys.stdout.flush()
        front.serve_forever()
