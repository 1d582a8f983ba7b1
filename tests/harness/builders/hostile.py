"""Texts that break what puts texts together: keys, values and names as a sender with bad intentions would choose them."""

_SQL = [
    "'",
    "''",
    '"',
    "`",
    "\\",
    "\\'",
    "\\\\'",
    "'; DROP TABLE events; --",
    "' OR 1=1 --",
    "') UNION ALL SELECT 1 --",
    "x' AND sleep(3) AND 'x'='x",
    "file('/etc/passwd')",
    "1; SELECT * FROM url('http://127.0.0.1')",
    "{p:String}",
    "{scope}",
    "{workspace_id:UUID}",
    "{key:Identifier}",
    "{}",
    "${jndi}",
    "%",
    "%s",
    "%(key)s",
    "%%",
    "_",
    "?",
    ":1",
    "$1",
    "$$",
    "/* */",
    "-- ",
    "#",
    "\\N",
    "NULL",
    "0x41",
]
_SPACE = [" ", "\t", "a\nb", "\r\n", "\u00a0", "\u2028", "\ufeff", "\u200b", " a ", "\x7f", "\x1b[31m"]
_UNICODE = [
    "é",
    "e\u0301",  # the same to a reader, another text to a computer
    "STRASSE",
    "straße",
    "İ",
    "i",
    "ǅ",
    "Σς",
    "日本語",
    "😀",
    "👩\u200d👩\u200d👧",
    "\u202eabc",
    "Z\u0351\u036b\u0343\u036a",
    "\U0010ffff",
]
_SHAPES = [
    "true",
    "null",
    "[]",
    '{"a":1}',
    "0",
    "-1",
    "1e3",
    "01",
    "a.b",
    "a[0]",
    "_actor",
    "prop:x",
    "name",
    "k" * 128,
]

TEXTS = [*_SQL, *_SPACE, *_UNICODE, *_SHAPES]
"""Texts without a NUL: what may be the name of an event or an actor."""

VALUES = [*TEXTS, "", "\0", "a\0b", "'\0", "x" * 60_000]
"""Texts that the value of a property may be."""

KEYS = [*TEXTS, "", "\0", "k\0", "k" * 60_000]
"""Texts that the key of a property may be."""
