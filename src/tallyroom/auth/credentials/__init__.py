"""What API keys and tokens have in common: how they are issued, listed and revoked."""
