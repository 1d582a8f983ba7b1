"""POST /v1/events and what can be asked about its refusals."""
