"""The queue on disk, whose format sdk/JOURNAL.md describes: it survives the death of the process at any moment."""
