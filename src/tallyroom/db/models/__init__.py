"""The metadata tables, one file for each subject."""

from tallyroom.db.models.bots import Bot, FeedOutbox, Listing, Voter
from tallyroom.db.models.dashboards import Annotation, Dashboard, Segment, Widget
from tallyroom.db.models.declarative import Model
from tallyroom.db.models.installation import Installation, Loss
from tallyroom.db.models.people import Invite, Membership, PasswordReset, SignIn, SignInLink, User
from tallyroom.db.models.workspaces import ApiKey, AuditEntry, Environment, GroupKey, StatsToken, Workspace

__all__ = [
    "Annotation",
    "ApiKey",
    "AuditEntry",
    "Bot",
    "Dashboard",
    "Environment",
    "FeedOutbox",
    "GroupKey",
    "Installation",
    "Invite",
    "Listing",
    "Loss",
    "Membership",
    "Model",
    "PasswordReset",
    "Segment",
    "SignIn",
    "SignInLink",
    "StatsToken",
    "User",
    "Voter",
    "Widget",
    "Workspace",
]
