"""Priorities among threads that compete for the processor."""

import os
import sys
import threading

_STEPS_BACK = 10


def step_back() -> None:
    """Lower the calling thread's priority, so that ingest goes first; its own work may take a moment longer."""
    if sys.platform == "linux":  # only there does each thread have its own priority
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _STEPS_BACK)
