"""The two plans of a workspace (rules/people#plans)."""

FREE = "free"
PAID = "paid"
