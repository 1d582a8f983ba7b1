"""The environments of a workspace; production and development are made with it."""

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Environment(Model):
    """A name that keeps events apart; `retention_days` is None to keep them for ever."""

    __tablename__ = "environments"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    retention_days: Mapped[int | None] = mapped_column(Integer)
    created_at_ms: Mapped[int]
