"""Stands before Pydantic, so that a server of the tests starts as one that is installed (harness/servers/server.py)."""

raise ModuleNotFoundError("a server is installed without Pydantic", name="pydantic")
