"""The limit on open files; each connection is one, and so is each part of the event store. The default is 1,024."""

import logging
import resource
from typing import Final

WANTED_LIMIT: Final = 65_536
LOW_LIMIT: Final = 4_096

_log = logging.getLogger(__name__)


def raise_limit() -> None:
    """Raise the limit as far as permitted and useful, and log it."""
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = WANTED_LIMIT if hard_limit == resource.RLIM_INFINITY else min(hard_limit, WANTED_LIMIT)
    if resource.RLIM_INFINITY != soft_limit < new_limit:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))
        except (OSError, ValueError) as error:  # for example, the system's real limit is lower than it reports
            _log.warning("the open file limit cannot be raised", extra={"limit": soft_limit, "reason": str(error)})
            return
    else:
        new_limit = soft_limit
    level = logging.WARNING if new_limit != resource.RLIM_INFINITY and new_limit < LOW_LIMIT else logging.INFO
    _log.log(level, "open files", extra={"limit": new_limit})
