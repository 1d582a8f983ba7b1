"""Questions asked without saving a widget."""
