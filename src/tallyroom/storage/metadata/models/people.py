"""Users, their sessions, and their ways to sign in."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class User(Model):
    """A user; their memberships decide what they may do."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("email = lower(email)", name="email_lowercase"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    password_hash: Mapped[str]
    created_at_ms: Mapped[int]


class Membership(Model):
    """One user in one workspace; `role` is a value of `tallyroom.auth.roles.Role`."""

    __tablename__ = "memberships"
    __table_args__ = (CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[str]
    joined_at_ms: Mapped[int] = mapped_column(server_default="0")  # for databases from before this column


class Invite(Model):
    """One open invitation, found by the SHA-256 of its token; deleted when it is accepted or withdrawn."""

    __tablename__ = "invites"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),
        CheckConstraint("email = lower(email)", name="email_lowercase"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    email: Mapped[str]
    role: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    expires_at_ms: Mapped[int]


class SignIn(Model):
    """One signed-in session, found by the SHA-256 of its token; deleted with the membership."""

    __tablename__ = "sessions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "workspace_id"], ["memberships.user_id", "memberships.workspace_id"], ondelete="CASCADE"
        ),
        Index(None, "user_id", "workspace_id"),
    )

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    workspace_id: Mapped[str]
    created_at_ms: Mapped[int]
    last_seen_at_ms: Mapped[int]
    expires_at_ms: Mapped[int]


class SignInLink(Model):
    """One link, found by the SHA-256 of its token; deleted when opened, or with the session that created it."""

    __tablename__ = "sign_in_links"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    session_hash: Mapped[bytes] = mapped_column(ForeignKey("sessions.token_hash", ondelete="CASCADE"), index=True)
    expires_at_ms: Mapped[int]


class PasswordReset(Model):
    """One permission, found by the SHA-256 of its token; deleted when it is used."""

    __tablename__ = "password_resets"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at_ms: Mapped[int]


class FamiliarPlace(Model):
    """A place from which a user has signed in, as a keyed hash; deleted with the user or their password."""

    __tablename__ = "familiar_places"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    mark: Mapped[bytes] = mapped_column(primary_key=True)
    last_at_ms: Mapped[int]
