"""Safe keeping: backups, restores, and the look at whether everything is as it should be."""
