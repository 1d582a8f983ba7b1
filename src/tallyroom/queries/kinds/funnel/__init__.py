"""Funnel: how many units go from step to step, and how long each step takes them (rules/questions#funnel)."""

from tallyroom.queries.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.queries.kinds.funnel.config import MAX_STEPS
from tallyroom.queries.kinds.funnel.query_plan import FUNNEL

__all__ = ["FUNNEL", "MAX_STEPS", "Funnel", "FunnelStep"]
