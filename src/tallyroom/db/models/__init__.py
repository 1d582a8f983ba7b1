"""The metadata tables, one file for each subject."""

from tallyroom.db.models.alerts import Alert, AlertActivity, AlertChannel, AlertRecipient, Delivery, Incident
from tallyroom.db.models.bots import Bot, FeedOutbox, Listing, Voter
from tallyroom.db.models.dashboards import Annotation, Dashboard, Segment, Widget
from tallyroom.db.models.declarative import Model
from tallyroom.db.models.digests import Digest, DigestLetter, DigestRecipient, DigestSending
from tallyroom.db.models.erasures import ErasurePart, SharedErasure
from tallyroom.db.models.external_sources import ExternalSource
from tallyroom.db.models.ingest import EventGrant, IdempotencyKey
from tallyroom.db.models.installation import Installation, Loss
from tallyroom.db.models.mail import WaitingMail
from tallyroom.db.models.people import FamiliarPlace, Invite, Membership, PasswordReset, SignIn, SignInLink, User
from tallyroom.db.models.scheduler import ScheduledJob
from tallyroom.db.models.workspaces import (
    ApiKey,
    AuditEntry,
    Environment,
    GroupKey,
    PersonalToken,
    StatsToken,
    Workspace,
)

__all__ = [
    "Alert",
    "AlertActivity",
    "AlertChannel",
    "AlertRecipient",
    "Annotation",
    "ApiKey",
    "AuditEntry",
    "Bot",
    "Dashboard",
    "Delivery",
    "Digest",
    "DigestLetter",
    "DigestRecipient",
    "DigestSending",
    "Environment",
    "ErasurePart",
    "EventGrant",
    "ExternalSource",
    "FamiliarPlace",
    "FeedOutbox",
    "GroupKey",
    "IdempotencyKey",
    "Incident",
    "Installation",
    "Invite",
    "Listing",
    "Loss",
    "Membership",
    "Model",
    "PasswordReset",
    "PersonalToken",
    "ScheduledJob",
    "Segment",
    "SharedErasure",
    "SignIn",
    "SignInLink",
    "StatsToken",
    "User",
    "Voter",
    "WaitingMail",
    "Widget",
    "Workspace",
]
