"""Which threads go first where several want the processor."""

import os
import sys
import threading

_STEPS_BACK = 10


def step_back() -> None:
    """Let what takes events in go before the calling thread, whose work may take a moment longer."""
    if sys.platform == "linux":  # where each thread has a priority of its own
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _STEPS_BACK)
