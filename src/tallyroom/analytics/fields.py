"""Field types that several resources share, and the sentences for their patterns."""

from typing import Annotated

from msgspec import Meta

_NAME = r"^(?=.*\S)[^\x00-\x1f\x7f]+$(?!\n)"  # the look-ahead at the end: `$` alone lets a line feed pass
_EMAIL = r"^[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+$(?!\n)"

Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=_NAME)]
Email = Annotated[str, Meta(min_length=3, max_length=254, pattern=_EMAIL)]

PATTERN_SENTENCES = {
    _NAME: "must have a visible character and no control characters",
    _EMAIL: "is not an e-mail address",
}
