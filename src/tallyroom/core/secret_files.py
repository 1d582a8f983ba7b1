"""Reads secret settings from files, as containers and systemd provide them."""

from collections.abc import Mapping
from pathlib import Path

from tallyroom.core.settings import PREFIX

SECRET_SETTINGS = ("SECRET_KEY", "EVENTS_DSN", "EVENTS_READER", "DB_DSN", "LIMITS_DSN", "SMTP_URL", "METRICS_TOKEN")
"""The settings with a password or a key; each may be in a file named by ``TALLYROOM_<NAME>_FILE``."""
FILE_SUFFIX = "_FILE"


def read_secret_files(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the content of secret files; raises `ValueError`, without secrets."""
    resolved_environ = dict(environ)
    for name in (PREFIX + setting for setting in SECRET_SETTINGS):
        path = environ.get(name + FILE_SUFFIX)
        if path:
            if environ.get(name):
                raise ValueError(f"{name} and {name}{FILE_SUFFIX} are both set; set only one")
            resolved_environ[name] = _read_line(name + FILE_SUFFIX, Path(path))
    return resolved_environ


def _read_line(name: str, path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ValueError(f"{name}: {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ValueError(f"{name}: {path} is not UTF-8 text") from None
    if not text.strip():
        raise ValueError(f"{name}: {path} is empty")
    if len(text.splitlines()) > 1:
        raise ValueError(f"{name}: {path} has more than one line")
    return text
