"""The kinds of widgets, one folder each."""
