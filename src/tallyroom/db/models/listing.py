"""Listings: the directory of bots that a workspace keeps."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Listing(Model):
    """One workspace's directory; every change of a bot takes the next `revision`, one after the other."""

    __tablename__ = "listings"

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int]
