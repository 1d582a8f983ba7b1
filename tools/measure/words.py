"""Which names say nothing: a participle or a pronoun stands for a value, but does not say what the value is."""

import re

_IRREGULAR = frozenset(
    """
    beaten begun bent blown borne bought bred broken brought built caught chosen come cut dealt done drawn driven
    due eaten fallen fed felt flown forgotten found frozen given gone got gotten grown heard held hidden hurt kept
    known laid led left lent lost made meant met paid put read ridden risen run said seen sent shown shut sought
    spent split spoken spread stolen sworn taken taught thought thrown told torn understood woken won worn written
    """.split()  # noqa: SIM905 # a word on each line would be a page
)
_PRONOUNS = frozenset(
    """
    all another any both each either here its neither none one other others ours rest same some such theirs there
    these those what which who whole whom whose
    """.split()  # noqa: SIM905 # a word on each line would be a page
)
_REGULAR = re.compile(r"[a-z]{2,}ed")

_NOUNS = frozenset(
    """
    bed bleed breed creed deed embed exceed feed greed heed hundred indeed led med need proceed red reed seed shed
    shred sled sped speed succeed unprocessed wed weed
    """.split()  # noqa: SIM905 # a word on each line would be a page
)
"""Words that end like a participle and are none."""

_FIXED = frozenset(
    """
    accepted all any certified cut dashed deleted disabled dontneed dotted due elapsed enabled erased expected fired
    forwarded left muted nested none one other parsed put read required rest run same selected split spread
    undefined unlisted unsubscribed used
    """.split()  # noqa: SIM905 # a word on each line would be a page
)
"""Words that the API, HTTP, CSS or the operating system fix, and nouns of the field."""


def is_bare(name: str) -> bool:
    """Return True if the name is a single participle or pronoun."""
    return is_irregular(name) or (
        _single(name) not in _NOUNS | _FIXED and _REGULAR.fullmatch(_single(name)) is not None
    )


def is_irregular(name: str) -> bool:
    """Return True if it is one that does not end with -ed, or a pronoun."""
    word = _single(name)
    return word in _IRREGULAR | _PRONOUNS and word not in _FIXED


def _single(name: str) -> str:
    """Return a name of one word in lower case; an empty text for any other name."""
    word = name.strip("_")
    return word.lower() if word.isalpha() and (word.islower() or word.isupper()) else ""
