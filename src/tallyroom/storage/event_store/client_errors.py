"""What a caller learns of a query that failed; the log has the rest."""

import logging

from tallyroom.core.errors import Internal
from tallyroom.storage.event_store.errors import QuestionTooCostly, StoreError, StoreUnavailable

NO_ANSWER = "The event store does not respond."
TOO_COSTLY = "The query takes more time or memory than allowed. Use a shorter time range or simpler patterns."

_log = logging.getLogger(__name__)


def build_client_error(error: StoreError) -> Exception:
    """Return what to tell the caller of a query that failed, after writing what happened to the log."""
    log_fields = {"code": error.code, "reason": str(error)[:500]}
    if error.suspect_part is not None:
        _log.error("a part cannot be read", extra={"part": error.suspect_part.part, "code": error.code})
        return StoreUnavailable("A part of the event store is damaged and is being set aside. Try again.")
    if error.is_unreachable or error.is_out_of_files or error.code == 0:  # an error without a code is the driver's own
        _log.warning("the store could not be reached", extra=log_fields)
        return StoreUnavailable(NO_ANSWER)
    if error.is_transient or error.is_query_too_long:
        _log.warning("query refused by the store", extra={"code": error.code})
        return QuestionTooCostly(TOO_COSTLY)
    _log.error("query failed", extra=log_fields)
    return Internal("The query could not be answered.")
