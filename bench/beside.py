"""The real server, and beside it in the same process, because one process can hold one event store, SQL by hand.

``python -m bench.beside serve --port PORT --data FOLDER`` serves as `tallyroom serve` does. Whoever posts SQL to the
port of ``BENCH_SQL_PORT`` gets the milliseconds that it took in a sealed reader like the product's own, and its rows.
Before each statement, and when nothing is posted, the engine's cache of conditions is emptied: a question that is
repeated to be measured must not be answered from what its last run remembers.
"""

import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

from tallyroom.cli.main import main
from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.core.load_settings import load_settings
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, ReadLimits
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.writer import Writer

_MEMORY_BYTES = 2_000_000_000  # at 10 million events, a funnel by hand takes more than the product may


class SqlAnswer(msgspec.Struct):
    """How long a statement took, and its rows, or why there are none."""

    ms: float = 0.0
    rows: list[msgspec.Raw] = []
    error: str = ""


class _HandSqlStore:
    """Opened by the first statement, when the server holds the store."""

    def __init__(self, folder: Path) -> None:
        settings = load_settings(os.environ)
        self._writer = Writer(EmbeddedBackend(folder))
        self._reader = self._writer.backend.open_reader(
            ReadLimits(seconds=settings.query_seconds, memory_bytes=_MEMORY_BYTES, max_rows=MAX_RESULT_ROWS)
        )

    def answer(self, sql: str) -> SqlAnswer:
        self._writer.command("SYSTEM DROP QUERY CONDITION CACHE")
        if not sql:
            return SqlAnswer()
        started = time.perf_counter()
        try:
            json_lines = self._reader.query(sql, {})
        except StoreError as error:
            return SqlAnswer(error=str(error))
        ms = (time.perf_counter() - started) * 1000
        return SqlAnswer(ms, [msgspec.Raw(line) for line in json_lines.splitlines()])

    def close(self) -> None:
        self._reader.close()
        self._writer.close()


class _SqlHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    store: _HandSqlStore | None = None
    folder: Path

    def do_POST(self) -> None:
        """Answer one statement."""
        sql = self.rfile.read(int(self.headers["content-length"])).decode()
        _SqlHandler.store = self.store or _HandSqlStore(self.folder)
        answer = msgspec.json.encode(_SqlHandler.store.answer(sql))
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # the name is the library's
        """Say nothing."""


if __name__ == "__main__":
    _SqlHandler.folder = Path(sys.argv[sys.argv.index("--data") + 1]) / STORE_FOLDER
    _server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["BENCH_SQL_PORT"])), _SqlHandler)
    threading.Thread(target=_server.serve_forever, daemon=True).start()
    try:
        main()
    finally:
        _server.shutdown()
        if _SqlHandler.store is not None:
            _SqlHandler.store.close()
