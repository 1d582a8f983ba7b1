"""The audit log as a resource to read."""
