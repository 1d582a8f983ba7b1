"""Actors: who caused events."""
