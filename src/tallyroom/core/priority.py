"""Priorities among threads that compete for the processor."""

import os
import sys
import threading

_NICENESS_INCREASE = 10


def lower_priority() -> None:
    """Lower the calling thread's priority, so that ingest goes first."""
    if sys.platform == "linux":  # only there does each thread have its own priority
        thread_id = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread_id, os.getpriority(os.PRIO_PROCESS, thread_id) + _NICENESS_INCREASE)
