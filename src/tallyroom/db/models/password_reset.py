"""Mailed permissions to set a new password, without their tokens."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class PasswordReset(Model):
    """One permission, found by the SHA-256 of its token; it goes when it is used."""

    __tablename__ = "password_resets"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at_ms: Mapped[int]
