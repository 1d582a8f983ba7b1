"""Finds environment variables that look like settings but are not, so that a misspelled one does not go unnoticed."""

from collections.abc import Mapping

from tallyroom.core.secret_files import FILE_SUFFIX, SECRET_SETTINGS
from tallyroom.core.settings import PREFIX, Settings
from tallyroom.core.suggestions import find_nearest

_CLIENT_VARIABLES = frozenset({"URL", "KEY", "TOKEN", "STATS_TOKEN"})
_OTHER_PREFIXES = ("COLLECT_", "TEST_")  # of `tallyroom bots collect`, and of the tests


def find_unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each such variable, without its value, which may be a secret."""
    setting_names = {name.upper() for name in Settings.__struct_fields__} | {
        name + FILE_SUFFIX for name in SECRET_SETTINGS
    }
    unprefixed_names = sorted(name.removeprefix(PREFIX) for name in environ if name.startswith(PREFIX))
    return [
        f"{PREFIX}{name} is not a setting and changes nothing{_suggest_name(name, setting_names)}"
        for name in unprefixed_names
        if name not in setting_names | _CLIENT_VARIABLES and not name.startswith(_OTHER_PREFIXES)
    ]


def _suggest_name(name: str, setting_names: set[str]) -> str:
    suggestion = find_nearest(name, sorted(setting_names))
    return f"; did you mean {PREFIX}{suggestion}?" if suggestion else "."
