"""Funnel: how many units go from step to step, and how long each step takes them (rules/questions#funnel)."""
