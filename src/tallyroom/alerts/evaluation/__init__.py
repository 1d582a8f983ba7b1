"""Evaluation: what alerts see at each beat, when they fire and resolve, and what follows from it."""
