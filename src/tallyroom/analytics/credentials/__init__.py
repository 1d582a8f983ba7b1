"""What API keys and tokens of the statistics API have in common: how they are issued, listed and revoked."""
