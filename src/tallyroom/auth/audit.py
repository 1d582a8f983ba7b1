"""The audit log: who did what in a workspace, written in the same transaction (rules/people#audit-log)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from tallyroom.auth import repository
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AuditEntry

Details = Mapping[str, str | int | None]


class Action(StrEnum):
    """The recorded actions. Sign-ins are not among them, because they concern a person rather than a workspace."""

    KEY_CREATE = "key.create"
    KEY_RENAME = "key.rename"
    KEY_REVOKE = "key.revoke"
    STATS_TOKEN_CREATE = "stats_token.create"  # noqa: S105 # a name
    STATS_TOKEN_REVOKE = "stats_token.revoke"  # noqa: S105 # a name
    TOKEN_CREATE = "token.create"  # noqa: S105 # a name
    TOKEN_REVOKE = "token.revoke"  # noqa: S105 # a name
    WEBHOOK_SECRET_SET = "webhook_secret.set"  # noqa: S105 # a name
    WEBHOOK_SECRET_DELETE = "webhook_secret.delete"  # noqa: S105 # a name
    COUNTER_SOURCE = "counter_source.choose"
    LISTING_PUBLISH = "listing.publish"
    LISTING_UNPUBLISH = "listing.unpublish"
    LISTING_SLUG = "listing.slug"  # its pictures get new addresses
    MEMBER_ROLE = "member.role"
    MEMBER_REMOVE = "member.remove"  # by an admin, or by the leaving member
    MEMBER_ADD = "member.add"  # by the operator, without an invitation
    MEMBER_RESET = "member.reset"  # a new password, by the operator
    INVITE_CREATE = "invite.create"
    INVITE_WITHDRAW = "invite.withdraw"
    INVITE_ACCEPT = "invite.accept"
    WORKSPACE_CREATE = "workspace.create"
    WORKSPACE_UPDATE = "workspace.update"
    WORKSPACE_PLAN = "workspace.plan"  # by the operator
    ENVIRONMENT_CREATE = "environment.create"
    ENVIRONMENT_UPDATE = "environment.update"
    ENVIRONMENT_DELETE = "environment.delete"
    EVENTS_EXPORT = "events.export"
    ACTOR_ERASE = "actor.erase"
    EVENT_HIDE = "event.hide"
    EVENT_SHOW = "event.show"
    GROUP_KEY_CREATE = "group_key.create"
    GROUP_KEY_UPDATE = "group_key.update"  # its label
    GROUP_KEY_DEFAULT = "group_key.default"  # it became the default
    GROUP_KEY_DELETE = "group_key.delete"
    ALERT_CREATE = "alert.create"
    ALERT_UPDATE = "alert.update"
    ALERT_DELETE = "alert.delete"
    ALERT_RESOLVE = "alert.resolve"  # its open incident
    DASHBOARD_PUBLISH = "dashboard.publish"
    DASHBOARD_UNPUBLISH = "dashboard.unpublish"
    DASHBOARD_SLUG = "dashboard.slug"  # the public page gets a new address
    DASHBOARD_DELETE = "dashboard.delete"
    WIDGET_PUBLISH_ROWS = "widget.publish_rows"  # once its dashboard is public
    WIDGET_WITHHOLD_ROWS = "widget.withhold_rows"
    EXTERNAL_SOURCE_CREATE = "external_source.create"
    EXTERNAL_SOURCE_UPDATE = "external_source.update"
    EXTERNAL_SOURCE_DELETE = "external_source.delete"
    DIGEST_CREATE = "digest.create"
    DIGEST_UPDATE = "digest.update"
    DIGEST_SEND = "digest.send"  # not by its calendar
    DIGEST_DELETE = "digest.delete"
    ALERT_CHANNEL_CREATE = "alert_channel.create"
    ALERT_CHANNEL_UPDATE = "alert_channel.update"
    ALERT_CHANNEL_DELETE = "alert_channel.delete"
    ALERT_CHANNEL_SECRET = "alert_channel.secret"  # noqa: S105 # a name


class Initiator(NamedTuple):
    """The user who acts in a workspace if no guard has found a principal; `user_id` is None for the operator."""

    workspace_id: str
    user_id: str | None


async def record(
    db: Session,
    principal: MemberPrincipal | Initiator,
    action: Action,
    subject: str,
    details: Details,
    *,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Record an action within the transaction `db`; an action outside it is recorded before it begins.

    `subject` is the id of the affected object, or its name. Neither it nor `details` may contain a secret or an actor
    key, because an erasure does not reach the log.
    """
    if isinstance(principal, MemberPrincipal) and principal.token_grant is not None:
        details = {**details, "byToken": principal.token_grant.token_id}
    db.add(
        AuditEntry(
            id=id_generator.new(),
            workspace_id=principal.workspace_id,
            at_ms=clock.now_ms(),
            by_user=principal.user_id,
            by_email=principal.user_id and await repository.find_email(db, principal.user_id),
            action=action,
            subject=subject,
            details=msgspec.json.encode(details).decode(),
        )
    )
