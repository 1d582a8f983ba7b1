"""The two plans of a workspace (rules/people#plans)."""

FREE_PLAN = "free"
PAID_PLAN = "paid"
