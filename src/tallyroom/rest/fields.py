"""Field types that several resources share, and the sentences for their patterns."""

from typing import Annotated

from msgspec import Meta

# Control characters, and characters that end a line in some mail programs or lists, or reverse the order of letters.
_UNSEEN_CHARACTERS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
_NAME_PATTERN = rf"^(?=.*\S)[^{_UNSEEN_CHARACTERS}]+$(?!\n)"  # `$` alone allows a final line feed
_EMAIL_PATTERN = r"^[^@\s\x00-\x1f\x7f-\x9f]+@[^@\s\x00-\x1f\x7f-\x9f]+$(?!\n)"
_ENVIRONMENT_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,39}$(?!\n)"
_LINE_PATTERN = rf"^[^{_UNSEEN_CHARACTERS}]*$(?!\n)"
_TEXT_PATTERN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
_COLOR_PATTERN = r"^#[0-9A-Fa-f]{6}$(?!\n)"
_URL_PATTERN = r"^(https?://[^\s\x00-\x1f\x7f-\x9f]+)?$(?!\n)"
_SECRET_PATTERN = r"^[ -~]{8,200}$(?!\n)"  # noqa: S105 # a pattern
_HEADER_NAME_PATTERN = r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$(?!\n)"
_SOURCE_TOKEN_PATTERN = r"^[!-~]([ -~]{0,3998}[!-~])?$(?!\n)"  # noqa: S105 # a pattern

Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=_NAME_PATTERN)]
Email = Annotated[str, Meta(min_length=3, max_length=254, pattern=_EMAIL_PATTERN)]
TypedPassword = Annotated[str, Meta(max_length=1024)]
"""A password as typed: each character of its prepared form may have been typed as four."""
MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 256
NewPassword = Annotated[
    str,
    Meta(
        max_length=1024,
        extra_json_schema={"extra": {"min_length": MIN_PASSWORD_LENGTH, "max_length": MAX_PASSWORD_LENGTH}},
    ),
]
"""A new password as typed; its schema states the lengths that are checked once it is prepared."""
EnvironmentName = Annotated[str, Meta(pattern=_ENVIRONMENT_PATTERN)]
DisplayName = Annotated[str, Meta(min_length=1, max_length=80, pattern=_NAME_PATTERN)]
GroupKeyLabel = Annotated[str, Meta(max_length=80, pattern=_LINE_PATTERN)]
Title = Annotated[str, Meta(max_length=120, pattern=_LINE_PATTERN)]
Key = Annotated[str, Meta(min_length=1, max_length=128, pattern=_NAME_PATTERN)]
Icon = Annotated[str, Meta(min_length=1, max_length=64, pattern=_NAME_PATTERN)]
ShortText = Annotated[str, Meta(max_length=280, pattern=_TEXT_PATTERN)]
Text = Annotated[str, Meta(max_length=500, pattern=_TEXT_PATTERN)]
Color = Annotated[str, Meta(pattern=_COLOR_PATTERN)]
Url = Annotated[str, Meta(max_length=2000, pattern=_URL_PATTERN)]
WebhookSecret = Annotated[str, Meta(pattern=_SECRET_PATTERN)]
HeaderName = Annotated[str, Meta(pattern=_HEADER_NAME_PATTERN)]
SourceToken = Annotated[str, Meta(pattern=_SOURCE_TOKEN_PATTERN)]

PATTERN_SENTENCES = {
    _NAME_PATTERN: "must contain a visible character and no control characters",
    _EMAIL_PATTERN: "is not an email address",
    _ENVIRONMENT_PATTERN: "must have 1 to 40 characters of a-z, 0-9, _ and -, and begin with a letter or digit",
    _LINE_PATTERN: "must not contain control characters",
    _TEXT_PATTERN: "must not contain control characters except tabs and line breaks",
    _COLOR_PATTERN: "must be a color such as #1A2B3C",
    _URL_PATTERN: "must be an http:// or https:// address, or empty",
    _SECRET_PATTERN: "must have 8 to 200 printable ASCII characters",
    _HEADER_NAME_PATTERN: "must be a header name of up to 64 characters",
    _SOURCE_TOKEN_PATTERN: "must have 1 to 4000 printable ASCII characters, and no spaces at either end",
}
