"""How many examples a random test tries: a few in each run of the suite, and all of them in `make test-long`.

The few are others in each run, so that many runs try what a long one does.
"""

from typing import Any

from hypothesis import settings

_LONG = "long"
_SHARE = 10  # of so many examples, the suite tries one


def load_profiles() -> None:
    """Make the profiles `tallyroom`, which is loaded, and `long`, which `--hypothesis-profile=long` loads."""
    relaxed = settings(deadline=None)  # a machine that is busy is no failure
    settings.register_profile("tallyroom", relaxed, max_examples=100 // _SHARE)
    settings.register_profile(_LONG, relaxed, max_examples=100)
    settings.load_profile("tallyroom")


def tries(examples: int, **options: Any) -> settings:
    """Settings of a test that a long run gives so many examples."""
    is_long = settings.get_current_profile_name() == _LONG
    return settings(max_examples=examples if is_long else examples // _SHARE, deadline=None, **options)
