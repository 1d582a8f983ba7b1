"""Reads the settings from environment variables, and describes the accepted values of those that it refuses."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import inspect

from tallyroom.core.errors import TallyroomError
from tallyroom.core.secret_files import read_secret_files
from tallyroom.core.settings import ADDRESS_SETTINGS, EXPLANATION, PREFIX, SERVER_SETTINGS, Settings
from tallyroom.core.suggestions import did_you_mean
from tallyroom.core.vault import Vault

_METRICS_TOKEN = re.compile(r"[!-~]{16,}")


class SettingsError(TallyroomError):
    """A setting cannot be read; the message names it and the values that it accepts."""


def load_settings(environ: Mapping[str, str], **overrides: object) -> Settings:
    """Read the settings from environment variables; `overrides` win unless they are None. Raises `SettingsError`."""
    try:
        environ = read_secret_files(environ)
    except ValueError as error:
        raise SettingsError(f"{error}.") from error
    _check_all_servers(environ)
    field_names = Settings.__struct_fields__
    values: dict[str, object] = {
        name: environ[PREFIX + name.upper()] for name in field_names if PREFIX + name.upper() in environ
    }
    values |= {name: value for name, value in overrides.items() if value is not None}
    values |= {name: str(values[name]).removesuffix("/") for name in ADDRESS_SETTINGS & values.keys()}
    for name, value in values.items():
        _check_setting(name, value)
    settings = msgspec.convert(values, Settings, strict=False)
    if settings.failpoints and not settings.testing:
        raise SettingsError(
            "TALLYROOM_FAILPOINTS causes faults on purpose and is only accepted with TALLYROOM_TESTING=true."
        )
    _check_networks(settings)
    try:
        _ = settings.mail_server, settings.event_server
    except ValueError as error:
        raise SettingsError(f"{error}.") from error
    if settings.db_dsn and not settings.db_dsn.startswith(("postgresql://", "postgres://")):
        raise SettingsError("TALLYROOM_DB_DSN must begin with postgresql://.")  # not repeated: it has a password
    _check_metrics_token(settings.metrics_token)
    _check_secret_keys(settings.secret_keys)
    _check_platforms(settings.platforms)
    return settings


def _check_all_servers(environ: Mapping[str, str]) -> None:
    """Refuse a mixture of data on servers and data in the directory; the error says which settings are missing."""
    server_settings = [name for name in SERVER_SETTINGS if environ.get(name)]
    missing = [name for name in (*SERVER_SETTINGS, f"{PREFIX}SECRET_KEY") if not environ.get(name)]
    if server_settings and missing:
        raise SettingsError(
            f"{server_settings[0]} also requires {', '.join(missing)}: either all data is on servers, or all of it is "
            "in the data directory (docs/howto/scale.md)."
        )


def _check_networks(settings: Settings) -> None:
    for name, property_name in (("trusted_proxies", "trusted_networks"), ("outbound_allow", "outbound_networks")):
        try:
            getattr(settings, property_name)
        except ValueError as error:
            raise SettingsError(f"{PREFIX}{name.upper()}: {error}") from error


def _check_metrics_token(token: str) -> None:
    if token and not _METRICS_TOKEN.fullmatch(token):
        raise SettingsError(  # not repeated: it is a secret
            "TALLYROOM_METRICS_TOKEN must be 16 or more visible ASCII characters, such as the output of "
            "`openssl rand -hex 24`."
        )


def _check_secret_keys(keys: list[str]) -> None:
    for key_number, key in enumerate(keys, start=1):
        try:
            Vault([key])
        except ValueError as error:
            raise SettingsError(
                f"TALLYROOM_SECRET_KEY: key {key_number} is not 32 random bytes in URL-safe base64, such "
                "as the output of `openssl rand -base64 32 | tr +/ -_`."
            ) from error


def _check_platforms(platforms: list[str]) -> None:
    """Refuse duplicates, because each platform becomes a path segment; `rest/hosts` refuses reserved ones."""
    duplicates = [platform for platform, count in Counter(platforms).items() if count > 1]
    if duplicates:
        raise SettingsError(f"TALLYROOM_STATS_PLATFORMS names {duplicates[0]} more than once.")


def _check_setting(name: str, value: object) -> None:
    try:
        msgspec.convert({name: value}, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{PREFIX}{name.upper()} {describe_refusal(Settings, name, value)}") from error


def describe_refusal(settings_type: type[msgspec.Struct], name: str, value: object) -> str:
    """Return the end of a sentence that refuses `value` for a field, such as ``must be 1 or 2, not 3.``."""
    field = next(field for field in msgspec.structs.fields(settings_type) if field.name == name)
    field_type, explanation = _split_type(inspect.type_info(field.type))
    suggestion = (
        did_you_mean(str(value), map(str, field_type.values)) if isinstance(field_type, inspect.LiteralType) else ""
    )
    return f"must be {explanation or _describe_type(field_type)}, not {value!r}{suggestion or '.'}"


def _split_type(field_type: inspect.Type) -> tuple[inspect.Type, str]:
    if isinstance(field_type, inspect.Metadata):
        return field_type.type, (field_type.extra or {}).get(EXPLANATION, "")
    return field_type, ""


def _describe_type(field_type: inspect.Type) -> str:
    match field_type:
        case inspect.BoolType():
            return _join_choices(["true", "false"])
        case inspect.LiteralType(values):
            return _join_choices(map(str, values))
        case inspect.IntType(ge=minimum, le=maximum) if maximum is not None:
            return f"a whole number from {minimum} to {maximum}"
        case inspect.IntType(ge=minimum):
            return f"a whole number of {minimum} or more"
    raise TypeError(f"no words for {field_type}")


def _join_choices(choices: Iterable[str]) -> str:
    *before_last, last = choices
    return f"{', '.join(before_last)} or {last}"
