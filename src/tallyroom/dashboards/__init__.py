"""Dashboards: widgets and their data, segments, annotations, external sources and public pages."""
