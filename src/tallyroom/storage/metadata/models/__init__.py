"""The metadata tables, one file for each subject."""

from tallyroom.storage.metadata.models.alerts import (
    Alert,
    AlertActivity,
    AlertChannel,
    AlertRecipient,
    Delivery,
    Incident,
)
from tallyroom.storage.metadata.models.bots import Bot, FeedOutbox, Listing, Voter
from tallyroom.storage.metadata.models.dashboards import Annotation, Dashboard, ExternalSource, Segment, Widget
from tallyroom.storage.metadata.models.declarative import Model
from tallyroom.storage.metadata.models.digests import Digest, DigestLetter, DigestRecipient, DigestSending
from tallyroom.storage.metadata.models.ingest import (
    ErasurePart,
    EventGrant,
    IdempotencyKey,
    IdempotencyQueue,
    SharedErasure,
)
from tallyroom.storage.metadata.models.installation import Installation, Loss
from tallyroom.storage.metadata.models.mail import WaitingMail
from tallyroom.storage.metadata.models.people import (
    FamiliarPlace,
    Invite,
    Membership,
    PasswordReset,
    SignIn,
    SignInLink,
    User,
)
from tallyroom.storage.metadata.models.property_columns import PropertyReadTotal
from tallyroom.storage.metadata.models.queue import WorkItem
from tallyroom.storage.metadata.models.scheduler import ScheduledJob
from tallyroom.storage.metadata.models.workspaces import (
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
    "IdempotencyQueue",
    "Incident",
    "Installation",
    "Invite",
    "Listing",
    "Loss",
    "Membership",
    "Model",
    "PasswordReset",
    "PersonalToken",
    "PropertyReadTotal",
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
    "WorkItem",
    "Workspace",
]
