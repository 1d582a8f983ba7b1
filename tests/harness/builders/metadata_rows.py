"""Rows of metadata whose values a copy from one database to the other could spoil."""

ROWS = """
INSERT INTO losses VALUES (41, 5, 'a part');
INSERT INTO users VALUES ('ann', 'ann@example.com', 'Änn "x" \\', 'hash', 5);
INSERT INTO workspaces (id, name, plan, timezone, created_at_ms) VALUES ('w', 'W', 'free', 'UTC', 9000000000);
INSERT INTO group_keys (id, workspace_id, prop_key, label, is_default, created_at_ms)
    VALUES ('g', 'w', 'guild', 'Guild', 1, 5), ('h', 'w', 'team', 'Team', 0, 5);
INSERT INTO feed_outbox (id, table_name, lines) VALUES (3000000000, 'bot_votes', x'5b005d'), (3000000001, 'bot_votes', x'5b');
DELETE FROM feed_outbox WHERE id = 3000000001;
"""
