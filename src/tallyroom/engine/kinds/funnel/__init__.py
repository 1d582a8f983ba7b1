"""Funnel: how many units go from step to step, and how long each step takes them (rules/questions#funnel)."""

from tallyroom.engine.kinds.funnel.answer import Funnel, FunnelStep
from tallyroom.engine.kinds.funnel.config import MAX_STEPS
from tallyroom.engine.kinds.funnel.query_plan import FUNNEL

__all__ = ["FUNNEL", "MAX_STEPS", "Funnel", "FunnelStep"]
