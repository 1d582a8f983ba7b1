"""The bodies and answers of the routes of external sources (rules/boards#external-source)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.rest.fields import HeaderName, Name, SourceToken

Host = Annotated[str, Meta(min_length=1, max_length=1000)]


class ExternalSourceIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new external source; without `headerName`, the token is sent as `Authorization: Bearer`."""

    name: Name
    host: Host
    header_name: HeaderName | None = None
    token: SourceToken | None = None


class ExternalSourceChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same, but a new `host` without a `token` removes the token."""

    name: Name | UnsetType = UNSET
    host: Host | UnsetType = UNSET
    header_name: HeaderName | UnsetType | None = UNSET
    token: SourceToken | UnsetType | None = UNSET


class ExternalSourceOut(msgspec.Struct, rename="camel"):
    """An external source with only the last characters of its token."""

    id: str
    name: str
    host: str
    header_name: str | None
    token_preview: str | None


class ExternalSourcesOut(msgspec.Struct, rename="camel"):
    """The external sources of the workspace, oldest first."""

    external_sources: list[ExternalSourceOut]
