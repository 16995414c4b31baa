"""Dask: each partition of a data frame is a part of a file.

    python3 dask_frame.py FILE…
"""

import sys

import dask.dataframe
import pandas
from parts import SIZE, TYPES, parts, tables


def meta():
    """Returns an empty frame with the columns and types of each partition."""
    import pyarrow

    kinds = {name: pandas.ArrowDtype(pyarrow.type_for_alias(kind)) for name, kind in TYPES.items()}
    return pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in kinds.items()})


def frame(part):
    """Returns a part of a file as a frame, whose columns are those of Arrow."""
    import pyarrow

    read = list(tables(part))
    return pyarrow.concat_tables(read).to_pandas(types_mapper=pandas.ArrowDtype) if read else meta()


def run(files, size=SIZE):
    """Returns the sum of the ids of users with slow errors, and their number."""
    records = dask.dataframe.from_map(frame, parts(files, size), meta=meta())
    slow = records[(records["level"] == "error") & (records["ms"] > 500)]["user"]
    return tuple(map(int, dask.compute(slow.sum(), slow.count())))


if __name__ == "__main__":
    print(*run(sys.argv[1:]))
