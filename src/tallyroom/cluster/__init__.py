"""What several workers share: PostgreSQL, Redis, the registry of workers, and common counts."""
