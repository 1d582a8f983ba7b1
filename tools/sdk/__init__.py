"""Builds the client's packages and tries them as a user would have them."""
