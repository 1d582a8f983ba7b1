"""The version of the client, which `User-Agent` names."""

__version__ = "1.0.0"
