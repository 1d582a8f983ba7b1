"""Pictures by URL: graphs of data in the query, in a body, or of a listed bot (rules/pictures#paths)."""
