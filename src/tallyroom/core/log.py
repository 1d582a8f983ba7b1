"""JSON log lines on standard error, with request IDs and without secrets."""

import logging
import re
import sys
from contextvars import ContextVar

from pythonjsonlogger.json import JsonFormatter

request_id_var: ContextVar[str] = ContextVar("request_id", default="")

MAIL_LOGGER = "tallyroom.letters"
"""The one logger that keeps the tokens in links: without a mail server, it writes mails for the operator."""

_MIN_LEVELS = {
    logging.WARNING: ("aiosqlite", "uvicorn.error"),
    logging.ERROR: ("clickhouse_connect", "urllib3"),  # the server itself logs once that the event store is away
}
"""The lowest level at which these loggers of libraries may write."""

_MIGRATION_LOGGER = "alembic"  # the logger of the migration library; the server logs migrations itself
_SECRET_PATTERN = re.compile(r"\b(tr_(?:live|test|stats|pat)_|tr[sl]_|whsec_)[0-9A-Za-z+/]{4,}=*")
_LINK_TOKEN_PATTERN = re.compile(r"\b(tr[ir]_)[0-9A-Za-z]{4,}")


def redact(text: str, *, keeps_link_tokens: bool = False) -> str:
    """Return `text` with every key and token cut to its prefix; invitation and reset tokens stay on demand."""
    redacted_text = _SECRET_PATTERN.sub(r"\1[redacted]", text)
    return redacted_text if keeps_link_tokens else _LINK_TOKEN_PATTERN.sub(r"\1[redacted]", redacted_text)


class _Formatter(JsonFormatter):
    """Adds the request ID and, as a last line of defence, removes secrets from the finished line."""

    def format(self, record: logging.LogRecord) -> str:
        if request_id := request_id_var.get():
            record.requestId = request_id
        return redact(super().format(record), keeps_link_tokens=record.name == MAIL_LOGGER)


def configure_logging(level: str, worker: str = "") -> None:
    """Send every log line of the process through the JSON formatter; with several workers, each names its worker."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _Formatter(
            "{levelname}{name}{message}",
            style="{",
            timestamp=True,
            static_fields={"worker": worker} if worker else {},
            rename_fields={"levelname": "level", "name": "logger", "timestamp": "time"},
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for min_level, logger_names in _MIN_LEVELS.items():
        for logger_name in logger_names:
            logging.getLogger(logger_name).setLevel(max(min_level, logging.getLevelName(level.upper())))
    is_debug = level.upper() == logging.getLevelName(logging.DEBUG)
    logging.getLogger(_MIGRATION_LOGGER).setLevel(logging.NOTSET if is_debug else logging.CRITICAL)
