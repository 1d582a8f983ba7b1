"""What every event of a task or thread has in common."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from tallyroom_client.event import Texts


class SharedFields(NamedTuple):
    """Texts and properties that `track` adds where the call does not give its own."""

    texts: Texts = Texts()
    properties: Mapping[str, Any] = {}

    def with_texts(self, texts: Texts) -> Texts:
        """Return `texts`, completed with the shared ones."""
        return Texts(*(own if own is not None else shared for own, shared in zip(texts, self.texts, strict=True)))

    def with_properties(self, properties: Any) -> Any:
        """Return `properties` after the shared ones, which they replace by name."""
        if not self.properties or not (properties is None or isinstance(properties, Mapping)):
            return properties
        return {**self.properties, **(properties or {})}


_NOTHING_SHARED = SharedFields()


class ClientContext:
    """The shared fields of one client: a task or thread sees its own, and a task inherits those of its creator."""

    def __init__(self) -> None:
        self._fields: ContextVar[SharedFields | None] = ContextVar("tallyroom_client", default=None)

    def current(self) -> SharedFields:
        """Return the fields of the blocks that the caller is in."""
        return self._fields.get() or _NOTHING_SHARED

    @contextmanager
    def extended(self, texts: Texts, properties: Mapping[str, Any] | None) -> Iterator[None]:
        """Add fields for the duration of a block; an inner block replaces those of an outer one by name."""
        outer = self.current()
        token = self._fields.set(SharedFields(outer.with_texts(texts), outer.with_properties(properties) or {}))
        try:
            yield
        finally:
            self._fields.reset(token)
