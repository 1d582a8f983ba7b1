"""Reads a widget's `type` and `config` as its kind demands, and refuses wrong fields one by one."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.suggestions import must_be_one_of
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.config import Config
from tallyroom.queries.filters import Filter, check_filters
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.patterns import check_patterns
from tallyroom.rest.bodies import decode_body

MAX_STORED_BYTES = 65_536


def find_kind(type_name: str, path: Sequence[str | int] = ("type",)) -> Kind[Any]:
    """Return the kind of widget that `type_name` names, or raise `ValidationFailed`."""
    kind = KINDS.get(type_name)
    if kind is None:
        raise ValidationFailed.at([*path], must_be_one_of(sorted(KINDS), type_name))
    return kind


def read_stored_config(kind: QuestionKind[Any], text: str) -> Config:
    """Read the config of a stored widget, which was checked before it was stored."""
    config: Config = msgspec.json.decode(text, type=kind.config)
    return config


async def read_sent_config(
    kind: Kind[Any], sent_config: dict[str, Any], path: Sequence[str | int] = ("config",)
) -> Config:
    """Read a config from a request; raise `ValidationFailed` with each invalid field, or `Unavailable`."""
    config: Config = decode_body(msgspec.json.encode(sent_config), kind.config, path)
    kind.check_config(config, path)
    await check_patterns(config, path)
    return config


async def encode_checked_filters(filters: tuple[Filter, ...]) -> str:
    """Check the field `filters` of a request; return the text to store. Raises as `read_sent_config` does."""
    check_filters(filters, ["filters"])
    await check_patterns(filters, ["filters"])
    return encode_to_store(filters, ["filters"])


def encode_to_store(value: Any, path: Sequence[str | int]) -> str:
    """Return the JSON text to store, without spaces and defaults; raise `ValidationFailed` if it is too large."""
    text = msgspec.json.encode(value)
    if len(text) > MAX_STORED_BYTES:
        raise ValidationFailed.at([*path], f"is {len(text)} bytes as JSON; the maximum is {MAX_STORED_BYTES}")
    return text.decode()
