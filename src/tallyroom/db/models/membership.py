"""Which users belong to which workspace, and their roles."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Membership(Model):
    """One user in one workspace; `role` is a value of `tallyroom.auth.roles.Role`."""

    __tablename__ = "memberships"
    __table_args__ = (CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[str]
    joined_at_ms: Mapped[int] = mapped_column(server_default="0")  # older databases existed before this column
