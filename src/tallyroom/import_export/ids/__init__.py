"""Rows that say who they are: each counts once, however often and in whichever file it comes."""
