"""Sends events to a Tallyroom server: what `track` accepts is counted exactly once, in order, or you are told."""
