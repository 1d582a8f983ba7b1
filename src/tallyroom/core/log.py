"""JSON log lines on standard error, with request ids and without secrets."""

import logging
import re
import sys
from contextvars import ContextVar

from pythonjsonlogger.json import JsonFormatter

request_id_var: ContextVar[str] = ContextVar("request_id", default="")

_SECRET = re.compile(r"\b(tr_(?:live|test|stats)_|trs_)[0-9A-Za-z]{4,}")


def redact(text: str) -> str:
    """`text` with every key and session token cut to its prefix."""
    return _SECRET.sub(r"\1[redacted]", text)


class _Formatter(JsonFormatter):
    """Adds the request id and, as the last line of defence, cuts secrets out of the finished line."""

    def format(self, record: logging.LogRecord) -> str:
        if request_id := request_id_var.get():
            record.requestId = request_id
        return redact(super().format(record))


def configure_logging(level: str) -> None:
    """Send every log line of the process through the JSON formatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _Formatter(
            "{levelname}{name}{message}",
            style="{",
            timestamp=True,
            rename_fields={"levelname": "level", "name": "logger", "timestamp": "time"},
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("aiosqlite", "alembic.runtime.migration", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
