"""The schema: the events and properties of an environment."""
