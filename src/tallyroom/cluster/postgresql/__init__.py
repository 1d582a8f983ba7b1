"""The metadata in PostgreSQL. Only this folder imports asyncpg; only servers with such a database import it."""
