"""The parts that dashboards, widgets and public dashboards share: look-ups, and the shape of a widget."""
