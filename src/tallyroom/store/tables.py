"""The names of tables and columns that SQL text may use: the only source of identifiers."""

EVENTS = "events"
ACTOR_LABELS = "actor_labels"
HIDDEN_EVENTS = "hidden_events"

# Every one of these holds rows of many workspaces; store/read.py refuses to read one without its scope.
SCOPED_TABLES = (EVENTS, ACTOR_LABELS, HIDDEN_EVENTS)

# The columns of one inserted event, in the order of the array that the spool holds (spool/row.py).
EVENT_COLUMNS = (
    "workspace_id",
    "environment",
    "timestamp_ms",
    "received_ms",
    "spool",
    "seq",
    "name",
    "actor",
    "actor_label",
    "source",
    "properties",
    "narrowed",
)
