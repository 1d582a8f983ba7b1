"""`tallyroom` with the settings in the first word, as JSON, that name servers: some of them, where others have no part."""

import sys
from collections.abc import Mapping

import msgspec

from tallyroom.cli.main import main
from tallyroom.core import load_settings as module
from tallyroom.core.load_settings import load_settings
from tallyroom.core.settings import Settings


def name_servers(servers: Mapping[str, str]) -> None:
    """Let the commands of this process find these settings, too, which they take only together."""

    def load_with_servers(environ: Mapping[str, str], **overrides: object) -> Settings:
        return msgspec.structs.replace(load_settings(environ, **overrides), **servers)

    vars(module)["load_settings"] = load_with_servers  # which commands import when they are used


if __name__ == "__main__":
    name_servers(msgspec.json.decode(sys.argv.pop(1), type=dict[str, str]))
    main()
