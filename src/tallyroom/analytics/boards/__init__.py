"""What dashboards, widgets and public dashboards share: the look-ups, and the form of a widget."""
