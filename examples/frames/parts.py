"""What the recipes for Ray Data and Dask share: parts of files, and the columns of each."""

import os
import pathlib

COLUMNS = {"level": "$.level", "user": "$.ctx.user.id", "ms": "$.ms"}
TYPES = {"level": "string", "user": "int64", "ms": "float64"}

# Bytes of a part: enough to keep a core busy for a while, and few enough for the rows to fit into its memory.
SIZE = 128 << 20

COMPRESSED = (".gz", ".zst", ".bz2", ".xz")


def parts(files, size=SIZE):
    """Returns (name, from, to) for parts of files. Compressed files cannot be divided."""
    result = []
    for name in map(str, files):
        length = os.path.getsize(name)
        count = 1 if name.endswith(COMPRESSED) else max(1, -(-length // size))
        cuts = [None, *(length * number // count for number in range(1, count)), None]
        result.extend((name, start, end) for start, end in zip(cuts, cuts[1:]))
    return result


def tables(part):
    """Yields the batches of a part as tables of Arrow, without invalid records. A line belongs to the part in which it begins."""
    import fjson
    import pyarrow

    name, start, end = part
    where = None if (start, end) == (None, None) else (start, end)
    # One thread, because the engine gives each task one core.
    for batch in fjson.columns(pathlib.Path(name), COLUMNS, types=TYPES, skip_bad=True, range=where, threads=1):
        yield pyarrow.Table.from_batches([pyarrow.record_batch(batch)])
