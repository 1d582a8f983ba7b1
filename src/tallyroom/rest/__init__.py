"""The HTTP layer that the API families share: bodies, parameters, refusals, methods and injected dependencies."""
