"""Columns of Arrow: the Python package of fjson reads splits in the Python workers of Spark, and Spark gets the batches as they are.

    python3 columns.py FILE…

The executors need the package (`pip install fjson-engine`) instead of the program, and the files under the same names. The types are
those of the schema that Spark is told.
"""

import pathlib
import sys

from fjson_spark import SPLIT, partitions, session, splits

# Path, type in fjson and type in Spark of each column.
COLUMNS = {
    "ts": ("$.ts", "string", "string"),
    "level": ("$.level", "string", "string"),
    "ip": ("$.ctx.ip", "string", "string"),
    "user": ("$.ctx.user.id", "int64", "long"),
    "ms": ("$.ms", "float64", "double"),
}
PATHS = {name: path for name, (path, _, _) in COLUMNS.items()}
TYPES = {name: kind for name, (_, kind, _) in COLUMNS.items()}
SCHEMA = ", ".join(f"{name} {kind}" for name, (_, _, kind) in COLUMNS.items())


def batches(splits):
    """Yields the errors in splits as batches of Arrow."""
    import fjson
    import pyarrow
    import pyarrow.compute

    for name, start, end in splits:
        part = (int(start), int(end) if end else None) if start else None
        # One thread, because Spark gives each task one core.
        for batch in fjson.columns(pathlib.Path(name), PATHS, types=TYPES, skip_bad=True, range=part, threads=1):
            batch = pyarrow.record_batch(batch)
            # What Spark does not need is not sent to it.
            yield batch.filter(pyarrow.compute.equal(batch.column("level"), "error"))


def in_arrow(rows):
    for batch in rows:
        yield from batches(zip(*(column.to_pylist() for column in batch.columns)))


def frame_of(spark, files, size=SPLIT):
    """Returns the errors in the files as a DataFrame."""
    parts = [tuple(map(str, split)) for split in splits(files, size)]
    rows = spark.sparkContext.parallelize(parts, partitions(parts, files))
    return spark.createDataFrame(rows, "file string, start string, end string").mapInArrow(in_arrow, SCHEMA)


def run(spark, files, size=SPLIT):
    """Returns the sum of the ids of users with slow errors, and their number."""
    return tuple(frame_of(spark, files, size).where("ms > 500").selectExpr("sum(user)", "count(*)").first())


if __name__ == "__main__":
    frame_of(session("columns", "columns.py"), sys.argv[1:]).groupBy("ip").agg({"ms": "avg", "user": "count"}).show()
