"""How much CPU a call takes, measured so that nothing else of the process is in it."""

import gc
from collections.abc import Callable
from time import thread_time


def cpu_seconds(read: Callable[..., object], *arguments: object, runs: int = 3) -> float:
    """Return the least seconds of CPU that one of the runs took in this thread.

    Garbage is not collected meanwhile: that is rare, and takes a second where the tests before made many objects.
    """
    times = []
    gc.disable()
    try:
        for _run in range(runs):
            begin = thread_time()
            read(*arguments)
            times.append(thread_time() - begin)
    finally:
        gc.enable()
    return min(times)
