"""Reads the rows of a listing from files and from other listings."""
