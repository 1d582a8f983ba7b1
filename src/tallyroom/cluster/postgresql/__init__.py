"""The metadata in PostgreSQL; only this folder imports asyncpg, and only a server with such a database imports it."""
