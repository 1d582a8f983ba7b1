"""What the server accepts in one event and one request, and how much the queue holds."""

# Of an event, in code points (docs/rules/events.md#text-fields).
MAX_NAME_LENGTH = 128
MAX_ACTOR_LENGTH = 256
MAX_LABEL_LENGTH = 256
MAX_SOURCE_LENGTH = 128
MAX_DEPTH = 32  # of the properties
MAX_EVENT_BYTES = 65_536
MAX_FUTURE_MS = 24 * 3600 * 1000

# Of a cut, which one request sends.
MAX_CUT_EVENTS = 500
MAX_CUT_BYTES = 2_000_000
MAX_CUT_AGE = 1.0  # seconds that an event waits for others

# Of the queue.
MAX_QUEUE_EVENTS = 200_000
MAX_QUEUE_BYTES = 64 * 1024 * 1024
MAX_MEMORY_EVENTS = 10_000
MAX_FILE_BYTES = 8 * 1024 * 1024
