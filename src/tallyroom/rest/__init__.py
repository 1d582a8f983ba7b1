"""The HTTP that the API families share: bodies, parameters, refusals, methods, and what handlers are given."""
