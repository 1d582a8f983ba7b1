"""The maximum lengths of an event's texts, in Unicode code points (rules/events#text-fields)."""

MAX_NAME = 128
MAX_ACTOR = 256
MAX_LABEL = 256
MAX_SOURCE = 128
