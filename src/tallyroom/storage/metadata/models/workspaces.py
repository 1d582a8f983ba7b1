"""Workspaces, and what belongs to one as a whole: environments, group keys, keys and tokens, the audit log."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model, build_partial_index


class Workspace(Model):
    """A tenant. `plan` is "free" or "paid", `timezone` an IANA name."""

    __tablename__ = "workspaces"
    __table_args__ = (CheckConstraint("plan IN ('free', 'paid')", name="plan_known"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    plan: Mapped[str]
    timezone: Mapped[str]
    created_at_ms: Mapped[int]


class Environment(Model):
    """A name that keeps events apart; `retention_days` of None means forever, `display_name` of None means `name`."""

    __tablename__ = "environments"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    retention_days: Mapped[int | None] = mapped_column(Integer)
    created_at_ms: Mapped[int]
    display_name: Mapped[str | None]


class GroupKey(Model):
    """A property key that groups events; the database itself refuses a second default in a workspace."""

    __tablename__ = "group_keys"
    __table_args__ = (
        UniqueConstraint("workspace_id", "prop_key"),
        build_partial_index("uq_group_keys_default", "workspace_id", "is_default", is_unique=True),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    prop_key: Mapped[str]
    label: Mapped[str]
    is_default: Mapped[bool]
    created_at_ms: Mapped[int]


class ApiKey(Model):
    """An API key, which stays when revoked: users know it by its first 12 characters, and its SHA-256 finds it.

    `kind` is "secret" or "ingest"; `created_by` is None once that user is deleted.
    """

    __tablename__ = "api_keys"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "environment"], ["environments.workspace_id", "environments.name"]),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str] = mapped_column(server_default="secret")
    prefix: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    last_used_at_ms: Mapped[int | None]
    revoked_at_ms: Mapped[int | None]


class StatsToken(Model):
    """A token, which stays when revoked: users know it by its first 12 characters, and its SHA-256 finds it.

    `bot_id` is set when the scope is `bot`; `created_by` is None once that user is deleted.
    """

    __tablename__ = "stats_tokens"
    __table_args__ = (Index(None, "workspace_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str]
    scope: Mapped[str]
    bot_id: Mapped[str | None]
    prefix: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    last_used_at_ms: Mapped[int | None]
    revoked_at_ms: Mapped[int | None]


class PersonalToken(Model):
    """A personal access token: users know it by its first 12 characters, and its SHA-256 finds it.

    A revoked token stays until its maker leaves the workspace. `scopes` has values of
    `tallyroom.auth.principals.TokenScope`, separated by spaces; `environment` is None if the token sees all.
    """

    __tablename__ = "personal_tokens"
    __table_args__ = (
        ForeignKeyConstraint(
            ["created_by", "workspace_id"], ["memberships.user_id", "memberships.workspace_id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(
            ["workspace_id", "environment"], ["environments.workspace_id", "environments.name"], ondelete="CASCADE"
        ),
        Index(None, "created_by", "workspace_id"),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    created_by: Mapped[str]
    name: Mapped[str]
    scopes: Mapped[str]
    environment: Mapped[str | None]
    prefix: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    expires_at_ms: Mapped[int | None]
    last_used_at_ms: Mapped[int | None]
    revoked_at_ms: Mapped[int | None]


class AuditEntry(Model):
    """One action. `by_user` and `by_email` name the user, `by_email` even after deletion; None is the operator.

    `action` is a word of `tallyroom.auth.audit.Action`; `subject` names what was acted on; `details` is JSON text.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (Index(None, "workspace_id", "at_ms", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    at_ms: Mapped[int]
    by_user: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    by_email: Mapped[str | None]
    action: Mapped[str]
    subject: Mapped[str]
    details: Mapped[str]
