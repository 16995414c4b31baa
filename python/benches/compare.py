"""Times loads and dumps of fjson, orjson, msgspec and json in turn: ``python compare.py FILE…``.

The processor time of the thread, the median of rounds in which each library has its turn, with the collector off; results are compared
first. Also without files: small documents, and lists of one type. Prints a Markdown table.
"""

from __future__ import annotations

import gc
import json
import pathlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec
import orjson

import fjson

ROUNDS = 9
SLICE = 20_000_000

chosen = random.Random(3)
generated: dict[str, Any] = {
    "37 bytes": {"id": 123456, "name": "Ada", "ok": True},
    "1 KB": [{"id": n, "name": f"name {n}", "ratio": n / 7, "active": n % 2 == 0} for n in range(15)],
    "integers": [chosen.randrange(-(10**17), 10**17) for _ in range(50_000)],
    "floats": [chosen.random() for _ in range(50_000)],
    "strings": ["".join(chosen.choices("abcdefghij klmnop", k=chosen.randrange(2, 40))) for _ in range(50_000)],
}


def contest(calls: dict[str, Callable[[], object]]) -> str:
    """Measures the calls in turn and returns cells of a row: the time of orjson, and those of the others as multiples of it."""
    counts = {}
    for library, call in calls.items():
        call()
        start = time.thread_time_ns()
        call()
        counts[library] = max(1, SLICE // max(1, time.thread_time_ns() - start))
    times: dict[str, list[float]] = {library: [] for library in calls}
    for _ in range(ROUNDS):
        for library, call in calls.items():
            start = time.thread_time_ns()
            for _ in range(counts[library]):
                call()
            times[library].append((time.thread_time_ns() - start) / counts[library])
    medians = {library: statistics.median(each) for library, each in times.items()}
    unit = medians.pop("orjson")
    return " | ".join([f"{unit / 1000:.2f}", *(f"{median / unit:.2f}" for median in medians.values())])


def main() -> None:
    texts = {name: orjson.dumps(value) for name, value in generated.items()}
    texts |= {pathlib.Path(path).stem: pathlib.Path(path).read_bytes() for path in sys.argv[1:]}
    gc.disable()
    print("| | " + " | ".join(f"{task}: orjson, µs | fjson | msgspec | json" for task in ("loads", "dumps")) + " |")
    print("|---|" + "--:|" * 8)
    for name, text in texts.items():
        value = orjson.loads(text)
        assert fjson.loads(text) == value and fjson.dumps(value) == orjson.dumps(value)
        loads = contest(
            {
                "fjson": lambda: fjson.loads(text),
                "orjson": lambda: orjson.loads(text),
                "msgspec": lambda: msgspec.json.decode(text),
                "json": lambda: json.loads(text),
            },
        )
        dumps = contest(
            {
                "fjson": lambda: fjson.dumps(value),
                "orjson": lambda: orjson.dumps(value),
                "msgspec": lambda: msgspec.json.encode(value),
                "json": lambda: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
            },
        )
        print(f"| {name} | {loads} | {dumps} |", flush=True)


if __name__ == "__main__":
    main()
