"""Digests with their recipients, and the mails for each of their due times."""

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model, build_partial_index


class Digest(Model):
    """A dashboard by mail, `daily`, `weekly` or `monthly`; `next_due_ms` is None while it is disabled.

    The tokens for unsubscribing are derived from `token_secret`.
    """

    __tablename__ = "digests"

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    dashboard_id: Mapped[str] = mapped_column(ForeignKey("dashboards.id", ondelete="CASCADE"), index=True)
    name: Mapped[str | None]
    cadence: Mapped[str]
    send_hour: Mapped[int]
    weekday: Mapped[int | None]
    day_of_month: Mapped[int | None]
    timezone: Mapped[str]
    enabled: Mapped[bool]
    token_secret: Mapped[str]
    last_sent_ms: Mapped[int | None]
    next_due_ms: Mapped[int | None] = mapped_column(index=True)
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]


class DigestRecipient(Model):
    """One address of a digest, as typed; `recipient` is the same in lower case, and identifies the recipient."""

    __tablename__ = "digest_recipients"

    digest_id: Mapped[str] = mapped_column(ForeignKey("digests.id", ondelete="CASCADE"), primary_key=True)
    recipient: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str]
    position: Mapped[int]
    unsubscribed_ms: Mapped[int | None]


class DigestSending(Model):
    """The mails of one due time; the database itself refuses a second row for it."""

    __tablename__ = "digest_sendings"
    __table_args__ = (UniqueConstraint("digest_id", "due_ms"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    digest_id: Mapped[str] = mapped_column(ForeignKey("digests.id", ondelete="CASCADE"))
    due_ms: Mapped[int]
    created_at_ms: Mapped[int]


class DigestLetter(Model):
    """The mail to one recipient; `status` is `waiting`, `sent`, `failed` or `dropped`.

    `next_attempt_ms` is None once it is over. During an attempt, it is the time from which another worker may try,
    because the one that made the attempt must have died.
    """

    __tablename__ = "digest_letters"
    __table_args__ = (
        build_partial_index("ix_digest_letters_waiting", "next_attempt_ms", "next_attempt_ms IS NOT NULL"),
    )

    sending_id: Mapped[str] = mapped_column(ForeignKey("digest_sendings.id", ondelete="CASCADE"), primary_key=True)
    recipient: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str]
    position: Mapped[int]
    status: Mapped[str]
    attempts: Mapped[int]
    error: Mapped[str | None]
    next_attempt_ms: Mapped[int | None]
    sent_at_ms: Mapped[int | None]
