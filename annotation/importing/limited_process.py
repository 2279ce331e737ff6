"""Programs that read hostile formats (PDF, Excel, Parquet) in processes of their own, with limits of time and memory.

A library that runs into a limit ends with its process and not with the worker, and a canceled job ends the process.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..jobs import raise_if_stopped
from .input_files import MAX_RECORD_SIZE

_INTERVAL = 0.2  # seconds after which a canceled job is noticed


def output_of(program: Path, path: Path | str, *limits: int, seconds: int, megabytes: int) -> Iterator[Any]:
    """Yield the values that the program prints about the file at `path`, one of JSON a line, as they come.

    The program gets the path, `seconds` of computing, `megabytes` of memory, and further `limits`; `seconds` limits the
    time that this side waits for output, too, and not its own work between two values. The last value says
    `{"end": true}` or `{"problem": KIND, "detail": VALUE, "row": NUMBER}`; KIND is `time` or `died` if the process did
    not come to its end, or printed a line of more than MAX_RECORD_SIZE bytes. Raises Stopped when the job
    of this thread is canceled.
    """
    command = [sys.executable, "-I", str(program), str(path), *map(str, (seconds, megabytes, *limits))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 - this Python
    assert process.stdout
    try:
        last: Any = None
        for line in _lines(process.stdout.fileno(), seconds):
            yield (last := json.loads(line))
        if not (isinstance(last, dict) and last.keys() & {"end", "problem"}):
            yield {"problem": "died"}
    except TimeoutError:
        yield {"problem": "time"}
    except ValueError:  # killed while it wrote a line, or the line is too long
        yield {"problem": "died"}
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _lines(output: int, seconds: float) -> Iterator[bytes]:
    parts: list[bytes] = []
    size = 0  # of the line that began
    while True:
        raise_if_stopped()
        began = time.monotonic()
        is_ready = select.select([output], [], [], min(_INTERVAL, max(seconds, 0)))[0]
        seconds -= time.monotonic() - began
        if is_ready:
            first, *others = os.read(output, 1 << 16).split(b"\n")
            if not first and not others:
                break
            parts.append(first)
            if (size := size + len(first)) > MAX_RECORD_SIZE:
                raise ValueError
            for other in others:
                yield b"".join(parts)
                parts, size = [other], len(other)
        elif seconds <= 0:
            raise TimeoutError
    if any(parts):
        yield b"".join(parts)
