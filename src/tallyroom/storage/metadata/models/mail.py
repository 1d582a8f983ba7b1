"""Mails on their way to the mail server."""

from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class WaitingMail(Model):
    """One mail that is not sent yet; `letter` is encrypted, because links in mails have tokens.

    `leased_until_ms` is set during an attempt, so that no other worker makes it too.
    """

    __tablename__ = "mail_outbox"

    id: Mapped[str] = mapped_column(primary_key=True)
    letter: Mapped[str]
    attempts: Mapped[int]
    created_at_ms: Mapped[int]
    next_attempt_ms: Mapped[int] = mapped_column(index=True)
    leased_until_ms: Mapped[int | None]
