"""External: one value that is fetched from an external source (rules/boards#external-widget)."""
