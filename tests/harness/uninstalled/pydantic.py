"""Stands before Pydantic, so that a server of the tests starts as one that is installed (harness/server.py)."""

raise ModuleNotFoundError("a server is installed without Pydantic", name="pydantic")
