"""A person who can sign in."""

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class User(Model):
    """A person; their memberships decide what they may do."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("email = lower(email)", name="email_lowercase"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    password_hash: Mapped[str]
    created_at_ms: Mapped[int]
