"""The HTTP layer that the API families share: bodies, parameters, errors, methods and injected dependencies."""
