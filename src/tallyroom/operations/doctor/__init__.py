"""The doctor of several workers."""
