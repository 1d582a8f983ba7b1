"""The metadata tables, one file each."""

from tallyroom.db.models.annotation import Annotation
from tallyroom.db.models.api_key import ApiKey
from tallyroom.db.models.audit_entry import AuditEntry
from tallyroom.db.models.bot import Bot
from tallyroom.db.models.dashboard import Dashboard
from tallyroom.db.models.declarative import Model
from tallyroom.db.models.environment import Environment
from tallyroom.db.models.feed_outbox import FeedOutbox
from tallyroom.db.models.group_key import GroupKey
from tallyroom.db.models.installation import Installation
from tallyroom.db.models.invite import Invite
from tallyroom.db.models.listing import Listing
from tallyroom.db.models.loss import Loss
from tallyroom.db.models.membership import Membership
from tallyroom.db.models.password_reset import PasswordReset
from tallyroom.db.models.segment import Segment
from tallyroom.db.models.session import SignIn
from tallyroom.db.models.sign_in_link import SignInLink
from tallyroom.db.models.stats_token import StatsToken
from tallyroom.db.models.user import User
from tallyroom.db.models.voter import Voter
from tallyroom.db.models.widget import Widget
from tallyroom.db.models.workspace import Workspace

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
