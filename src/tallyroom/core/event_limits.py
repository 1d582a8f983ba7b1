"""How long the texts of an event may be, in Unicode code points (specification, "Event"; contract 4)."""

MAX_NAME = 128
MAX_ACTOR = 256
MAX_LABEL = 256
MAX_SOURCE = 128
