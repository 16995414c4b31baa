"""Ranges of large files: each task gives fjson splits of about 128 MiB.

    python3 ranges.py FILE…

The ranges of a file have each of its records once, wherever they are cut. Files that are compressed cannot be divided; each of them
is one split.
"""

import sys

from fjson_spark import SPLIT, open_query, partitions, session, split_line, splits
from names import SLOW_ERRORS, add, totals


def run(spark, files, size=SPLIT):
    """Returns the sum of the ids and their number."""

    def found(lines):
        with open_query(SLOW_ERRORS, lines, "--splits-from") as output:
            return totals(output.read().split())

    lines = [split_line(split) for split in splits(files, size)]
    return spark.sparkContext.parallelize(lines, partitions(lines, files)).mapPartitions(found).reduce(add)


if __name__ == "__main__":
    print(*run(session("ranges", "names.py"), sys.argv[1:]))
