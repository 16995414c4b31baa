"""Ray Data: each task reads a part of a file into blocks of Arrow.

    python3 ray_data.py FILE…
"""

import sys

import pyarrow.compute as compute
import ray
from parts import SIZE, parts, tables


def dataset(files, size=SIZE):
    """Returns the records of the files."""
    rows = [{"name": name, "start": start, "end": end} for name, start, end in parts(files, size)]
    # One row for each task: a batch of rows is a part of a file.
    return ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(read, batch_size=1, batch_format="pyarrow")


def read(table):
    for row in table.to_pylist():
        yield from tables((row["name"], row["start"], row["end"]))


def slow_errors(table):
    return table.filter((compute.field("level") == "error") & (compute.field("ms") > 500))


def run(files, size=SIZE):
    """Returns the sum of the ids of users with slow errors, and their number."""
    slow = dataset(files, size).map_batches(slow_errors, batch_format="pyarrow", batch_size=None)
    # Both answers are those of one reading.
    slow = slow.materialize()
    return slow.sum("user"), slow.count()


if __name__ == "__main__":
    print(*run(sys.argv[1:]))
