"""Rows of earlier answers, which later questions use if the same events are still all there is to count."""
