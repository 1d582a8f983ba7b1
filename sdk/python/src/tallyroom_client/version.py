"""The version of the client, which `User-Agent` names."""

__version__ = "0.1.0"
