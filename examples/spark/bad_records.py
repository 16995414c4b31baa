"""Bad records: skipped, counted, and kept with their reasons.

    python3 bad_records.py OUTPUT FILE…

prints the same totals as names.py and writes the bad records to OUTPUT, as JSON. Bad records are rows like all others, so a task
that is repeated does not write them twice. An accumulator counts them for the log; Spark may add to it again when it repeats a task
that had succeeded, so the number of rows is the one to trust.
"""

import os
import sys
import tempfile

from fjson_spark import SPLIT, bad_records, open_query, partitions, session, split_line, splits
from names import SLOW_ERRORS, totals

SCHEMA = """total long, ids long,
    bad array<struct<file: string, offset: long, kind: string, message: string, text: string, base64: string>>"""
FIELDS = ["file", "offset", "kind", "message", "text", "base64"]


def frame_of(spark, files, counter, size=SPLIT):
    """Returns a DataFrame with the totals and the bad records of each task."""

    def rows(parts):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "bad.jsonl")
            with open_query([*SLOW_ERRORS, "--bad-records", path], [split_line(part) for part in parts]) as output:
                [(total, ids)] = totals(output.read().split())
            found = bad_records(path)
        counter.add(len(found))
        yield total, ids, [tuple(record[field] for field in FIELDS) for record in found]

    parts = splits(files, size)
    found = spark.sparkContext.parallelize(parts, partitions(parts, files)).mapPartitions(rows)
    return spark.createDataFrame(found, SCHEMA)


def run(spark, files, size=SPLIT):
    """Returns the sum and number of the ids and the number of bad records, and the accumulator."""
    counter = spark.sparkContext.accumulator(0)
    frame = frame_of(spark, files, counter, size)
    return tuple(frame.selectExpr("sum(total)", "sum(ids)", "sum(size(bad))").first()), counter.value


if __name__ == "__main__":
    spark = session("bad records", "names.py")
    counter = spark.sparkContext.accumulator(0)
    frame = frame_of(spark, sys.argv[2:], counter).persist()
    print(*frame.selectExpr("sum(total)", "sum(ids)").first())
    frame.selectExpr("explode(bad) bad").select("bad.*").write.json(sys.argv[1])
    print(counter.value, "bad records")
