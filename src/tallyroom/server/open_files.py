"""How many files this process may have open; each connection is one, and so is each part of the event store.

Systems start programs with a limit of 1,024 for the sake of old ones that cannot count further. The others raise it.
"""

import logging
import resource
from typing import Final

ENOUGH: Final = 65_536
FEW: Final = 4_096

_log = logging.getLogger(__name__)


def raise_limit() -> None:
    """Raise the limit as far as this process may, and as far as it helps, and log it."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = ENOUGH if most == resource.RLIM_INFINITY else min(most, ENOUGH)
    if resource.RLIM_INFINITY != before < limit:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
        except (OSError, ValueError) as error:  # such as a bound of the system that is lower than it says
            _log.warning("the limit of open files cannot be raised", extra={"limit": before, "reason": str(error)})
            return
    else:
        limit = before
    level = logging.WARNING if limit != resource.RLIM_INFINITY and limit < FEW else logging.INFO
    _log.log(level, "open files", extra={"limit": limit})
