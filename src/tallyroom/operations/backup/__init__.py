"""Backups, restores, and the doctor, which checks that everything is as it should be."""
