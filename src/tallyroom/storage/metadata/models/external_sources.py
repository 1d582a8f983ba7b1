"""Hosts that External widgets may fetch from."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class ExternalSource(Model):
    """One trusted host; `token` is encrypted, and `token_end` has its last characters, which users may see."""

    __tablename__ = "external_sources"

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    host: Mapped[str]
    header_name: Mapped[str | None]
    token: Mapped[str | None]
    token_end: Mapped[str | None]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]
