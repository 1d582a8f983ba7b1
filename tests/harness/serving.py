"""`tallyroom` with its metadata in the PostgreSQL database that the first word names: no setting names one yet."""

import sys
from collections.abc import Mapping

import msgspec

from tallyroom.cli import serve
from tallyroom.cli.main import main
from tallyroom.core.load_settings import load_settings
from tallyroom.core.settings import Settings


def load_with_database(environ: Mapping[str, str], **overrides: object) -> Settings:
    """The settings as the command finds them, with the one that it does not take."""
    return msgspec.structs.replace(load_settings(environ, **overrides), db_dsn=_DSN)


if __name__ == "__main__":
    _DSN = sys.argv.pop(1)
    vars(serve)["load_settings"] = load_with_database
    main()
