"""Validation: from the bytes of a body to events, with a reason for each refusal."""
