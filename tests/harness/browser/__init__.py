"""The web app and mails in a real browser, and what a page has to show."""
