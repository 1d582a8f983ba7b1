"""Actors: who did it."""
