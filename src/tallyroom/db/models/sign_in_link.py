"""Links that sign a browser in, without their tokens."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class SignInLink(Model):
    """One link, found by the SHA-256 of its token; it goes when it is opened, and with the session that made it."""

    __tablename__ = "sign_in_links"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    session_hash: Mapped[bytes] = mapped_column(ForeignKey("sessions.token_hash", ondelete="CASCADE"), index=True)
    expires_at_ms: Mapped[int]
