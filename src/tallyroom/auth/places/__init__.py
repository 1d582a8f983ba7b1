"""The places from which people have signed in."""
