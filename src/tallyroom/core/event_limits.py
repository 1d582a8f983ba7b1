"""The limits of an event and of the requests that carry events (rules/events#text-fields, rules/events#sizes)."""

# In Unicode code points.
MAX_NAME_LENGTH = 128
MAX_ACTOR_LENGTH = 256
MAX_LABEL_LENGTH = 256
MAX_SOURCE_LENGTH = 128

MAX_DEPTH = 32  # of the properties
MAX_EVENT_BYTES = 65_536
MAX_FUTURE_MS = 24 * 3600 * 1000

# Of a request.
MAX_EVENTS = 500
MAX_BODY_BYTES = 2_097_152
