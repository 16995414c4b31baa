"""Names of files, for many files of similar size: each task gives fjson the names of its files.

    python3 names.py FILE…

prints the sum of the ids of users with slow errors in a log, and the number of such errors. A record of the log:

    {"ts": …, "level": "error", "msg": …, "ctx": {"user": {"id": 7, "name": …}, "ip": …}, "tags": […], "ms": 612.5}

`run` adds the ids up where they are found, so that only totals leave the executors. `pipe` is shorter, but passes each id through
Spark as a line; Scala and Java have the same method, and need no Python. `checkCode` fails a task whose fjson ends with another
status than 0: 1 for an invalid document, 2 for a file that cannot be read.
"""

import shlex
import sys

from fjson_spark import QUERY, open_query, partitions, session

SLOW_ERRORS = ["$.ctx.user.id", "--where", "@.level == 'error' && @.ms > 500", "--skip-bad"]


def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def totals(lines):
    """Returns the sum and the number of ids, one on each line."""
    ids = [int(line) for line in lines]
    return [(sum(ids), len(ids))]


def run(spark, files):
    """Returns the sum of the ids and their number."""

    def found(names):
        with open_query(SLOW_ERRORS, names, "--files-from") as output:
            return totals(output.read().split())

    return spark.sparkContext.parallelize(files, partitions(files, files)).mapPartitions(found).reduce(add)


def pipe(spark, files):
    """Returns the same."""
    command = shlex.join([*QUERY, *SLOW_ERRORS, "--files-from", "-"])
    ids = spark.sparkContext.parallelize(files, partitions(files, files)).pipe(command, checkCode=True)
    return ids.mapPartitions(totals).reduce(add)


if __name__ == "__main__":
    print(*run(session("names", "names.py"), sys.argv[1:]))
