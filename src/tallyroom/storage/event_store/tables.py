"""The names of tables and columns that SQL text may use: the only source of identifiers."""

EVENTS = "events"
ACTOR_LABELS = "actor_labels"
HIDDEN_EVENTS = "hidden_events"
BOT_COUNTERS = "bot_counters"
BOT_COUNTERS_DAILY = "bot_counters_daily"
BOT_VOTES = "bot_votes"

# Each of these holds rows of many workspaces; storage/event_store/scope.py refuses to read one without its scope.
EVENT_TABLES = (EVENTS, ACTOR_LABELS, HIDDEN_EVENTS)
LISTING_TABLES = (BOT_COUNTERS, BOT_COUNTERS_DAILY, BOT_VOTES)
SCOPED_TABLES = EVENT_TABLES + LISTING_TABLES

# The columns of one inserted row of a listing, in the order of its array.
LISTING_COLUMNS = {
    BOT_COUNTERS: ("workspace_id", "bot_id", "metric", "time_ms", "revision", "value"),
    BOT_VOTES: ("workspace_id", "bot_id", "user_id", "time_ms", "vote_id", "weight"),
}

# The columns of one inserted event, in the order of the array that the spool holds (storage/spool/row.py).
EVENT_COLUMNS = (
    *("workspace_id", "environment", "timestamp_ms", "received_ms", "spool", "seq"),
    *("name", "actor", "actor_label", "source", "properties", "narrowed"),
)
