"""KPI: up to six numbers, each next to its value in the window before (rules/questions#kpi)."""
