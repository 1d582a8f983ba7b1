"""The properties whose values are groups."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model

_IS_DEFAULT = text("is_default")


class GroupKey(Model):
    """A property key that groups events; the database itself refuses a second default in a workspace."""

    __tablename__ = "group_keys"
    __table_args__ = (
        UniqueConstraint("workspace_id", "prop_key"),
        Index(
            "uq_group_keys_default",
            "workspace_id",
            unique=True,
            sqlite_where=_IS_DEFAULT,
            postgresql_where=_IS_DEFAULT,
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    prop_key: Mapped[str]
    label: Mapped[str]
    is_default: Mapped[bool]
    created_at_ms: Mapped[int]
