"""Times columns of NDJSON in polars and pyarrow, read by fjson and by themselves: ``python columns.py FILE``.

FILE has records with ``ts``, ``ctx.user.id`` and ``ms``, such as ``cargo run --release -p fjson-proof --example emit -- logs 2G`` writes.
Each measurement is a process of its own, in turn in each round: wall time, processor time, and the largest resident memory. The smallest
of each is printed. All must have the same number of records and the same sum.
"""

from __future__ import annotations

import os
import pathlib
import resource
import subprocess
import sys
import time
from typing import Any

ROUNDS = int(os.environ.get("ROUNDS", "3"))
COLUMNS = {"ts": "$.ts", "user": "$.ctx.user.id", "ms": "$.ms"}


def fjson_polars(path: pathlib.Path, columns: dict[str, str] | None) -> Any:
    import polars

    import fjson

    return polars.DataFrame(fjson.columns(path, columns))


def fjson_pyarrow(path: pathlib.Path, columns: dict[str, str] | None) -> Any:
    import pyarrow

    import fjson

    return pyarrow.table(fjson.columns(path, columns))


def polars_scan(path: pathlib.Path) -> Any:
    import polars

    return polars.scan_ndjson(path).select("ts", polars.col("ctx").struct.field("user").struct.field("id"), "ms").collect()


def polars_read(path: pathlib.Path) -> Any:
    import polars

    return polars.read_ndjson(path)


def pyarrow_read(path: pathlib.Path) -> Any:
    import pyarrow.json

    return pyarrow.json.read_json(path)


CALLS = {
    "three columns: fjson, polars": lambda path: fjson_polars(path, COLUMNS),
    "three columns: polars.scan_ndjson": polars_scan,
    "three columns: fjson, pyarrow": lambda path: fjson_pyarrow(path, COLUMNS),
    "all columns: fjson, polars": lambda path: fjson_polars(path, None),
    "all columns: polars.read_ndjson": polars_read,
    "all columns: fjson, pyarrow": lambda path: fjson_pyarrow(path, None),
    "all columns: pyarrow.json": pyarrow_read,
}


def measure(name: str, path: pathlib.Path) -> None:
    """Prints the result and the times of one measurement; importing the libraries is a part of them."""
    start = time.perf_counter()
    frame = CALLS[name](path)
    wall, processor = time.perf_counter() - start, time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    values = frame["ms"].to_numpy()
    print(len(values), f"{values.sum():.3f}", wall, processor, memory)


def main(file: str) -> None:
    best: dict[str, list[float]] = {}
    answers = set()
    for _ in range(ROUNDS):
        for name in CALLS:
            run = subprocess.run([sys.executable, __file__, file, name], capture_output=True, text=True, check=True)
            count, total, *figures = run.stdout.split()
            answers.add((count, total))
            best[name] = list(map(min, best.get(name, [float("inf")] * 3), map(float, figures)))
    if len(answers) > 1:
        sys.exit(f"the answers differ: {answers}")
    print("| | wall | processor | memory |\n|---|--:|--:|--:|")
    for name, (wall, processor, memory) in best.items():
        print(f"| {name} | {wall:.1f} s | {processor:.1f} s | {memory:.2f} GB |")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[2], pathlib.Path(sys.argv[1]))
    else:
        main(sys.argv[1])
