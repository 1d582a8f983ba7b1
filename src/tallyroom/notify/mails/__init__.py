"""Mails that wait for the mail server."""
