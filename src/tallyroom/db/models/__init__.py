"""The metadata tables, one file each."""
