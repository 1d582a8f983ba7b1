"""Field types that several resources share, and the sentences for their patterns."""

from typing import Annotated

from msgspec import Meta

_NAME = r"^(?=.*\S)[^\x00-\x1f\x7f]+$(?!\n)"  # the look-ahead at the end: `$` alone lets a line feed pass
_EMAIL = r"^[^@\s\x00-\x1f\x7f-\x9f]+@[^@\s\x00-\x1f\x7f-\x9f]+$(?!\n)"
_ENVIRONMENT = r"^[a-z0-9][a-z0-9_-]{0,39}$(?!\n)"

Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=_NAME)]
Email = Annotated[str, Meta(min_length=3, max_length=254, pattern=_EMAIL)]
Password = Annotated[str, Meta(min_length=10, max_length=256)]
EnvironmentName = Annotated[str, Meta(pattern=_ENVIRONMENT)]

PATTERN_SENTENCES = {
    _NAME: "must have a visible character and no control characters",
    _EMAIL: "is not an e-mail address",
    _ENVIRONMENT: "must have 1 to 40 of a-z, 0-9, _ and -, and begin with a letter or digit",
}
