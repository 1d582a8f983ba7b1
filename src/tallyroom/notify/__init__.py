"""Notifications to people: by mail, by webhook, and in chats."""
