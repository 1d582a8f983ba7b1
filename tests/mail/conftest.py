"""A mail server, servers that receive requests, and a mailer and a fetcher that reach them."""

from harness.notifying import (
    authority,
    certificate,
    database,
    fetcher,
    losses,
    make_mailbox,
    make_mailer,
    receive,
    receiver,
    trust,
)

__all__ = [
    "authority",
    "certificate",
    "database",
    "fetcher",
    "losses",
    "make_mailbox",
    "make_mailer",
    "receive",
    "receiver",
    "trust",
]
