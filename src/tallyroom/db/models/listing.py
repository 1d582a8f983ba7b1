"""Listings: the directory of bots that a workspace keeps."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Listing(Model):
    """One workspace's directory; every change of a bot takes the next `revision`, one after the other.

    `slug` names it in the URLs of its pictures, and stays when it is taken back.
    """

    __tablename__ = "listings"
    __table_args__ = (CheckConstraint("slug IS NOT NULL OR NOT is_public", name="public_has_slug"),)

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int]
    is_public: Mapped[bool]
    slug: Mapped[str | None] = mapped_column(unique=True)
