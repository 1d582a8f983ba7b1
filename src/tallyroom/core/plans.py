"""The two plans of a workspace (contract 3)."""

FREE = "free"
PAID = "paid"
