"""Sends events to a Tallyroom server: what `track` accepts is counted exactly once, in order, or you are told."""

from tallyroom_client.client import Tallyroom
from tallyroom_client.problems import Problem
from tallyroom_client.refusal import EventRefused
from tallyroom_client.version import __version__

__all__ = ["EventRefused", "Problem", "Tallyroom", "__version__"]
