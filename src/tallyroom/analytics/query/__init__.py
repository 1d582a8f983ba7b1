"""Questions that are asked without being saved."""
