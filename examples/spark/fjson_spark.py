"""Runs fjson on the executors of Apache Spark: the part that all recipes share.

Each recipe gives the executors names of files, or splits of files, and fjson reads the files itself. So no text goes through the
JVM, and Spark sees only what the query selects. fjson must be on the PATH of every executor (or FJSON must name it), and the files
must have the same names there: a shared or distributed file system that is mounted, or files that were copied.
"""

import json
import os
import subprocess
import tempfile

# Spark gives each task one core.
QUERY = [os.environ.get("FJSON", "fjson"), "query", "--lines", "--threads", "1", "--allow-empty"]

# The same size as spark.sql.files.maxPartitionBytes.
SPLIT = 128 << 20

COMPRESSED = (".gz", ".zst", ".bz2", ".xz")


def splits(files, size=SPLIT):
    """Returns (name, from, to) for parts of about `size` bytes. Compressed files cannot be divided, so each is one split."""
    result = []
    for name in files:
        length = os.path.getsize(name)
        if name.endswith(COMPRESSED) or length <= size:
            result.append((name, "", ""))
            continue
        count = -(-length // size)
        cuts = [length * number // count for number in range(count)] + [""]
        result.extend((name, start, end) for start, end in zip(cuts, cuts[1:]))
    return result


def partitions(inputs, files):
    """Returns the number of partitions for inputs (names or splits) in these files: a task has about SPLIT bytes, as with Spark's
    own reader, because starting a task takes longer than reading a small file."""
    return max(1, min(len(inputs), round(sum(map(os.path.getsize, files)) / SPLIT)))


def split_line(split):
    """Returns a split as a line for --splits-from."""
    return "\t".join(map(str, split))


class Failed(Exception):
    """fjson ended with another status than 0: Spark repeats the task, and fails the job if that does not help."""


class open_query:
    """Runs fjson on the inputs that `lines` name. The context is its output; leaving it checks the exit status."""

    def __init__(self, arguments, lines, flag="--splits-from"):
        self.command = [*QUERY, *arguments, flag, "-"]
        self.input = "".join(line + "\n" for line in lines).encode()

    def __enter__(self):
        # The list and the errors go to files, so that no pipe can fill up while another one is being read.
        self.list, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.list.write(self.input)
        self.list.seek(0)
        self.process = subprocess.Popen(self.command, stdin=self.list, stdout=subprocess.PIPE, stderr=self.errors)
        return self.process.stdout

    def __exit__(self, kind, *_):
        self.process.stdout.close()
        if kind:
            self.process.kill()
        status = self.process.wait()
        self.errors.seek(0)
        message = self.errors.read(10_000).decode(errors="replace")
        self.list.close()
        self.errors.close()
        if not kind and status != 0:
            raise Failed(f"status {status} of {self.command}: {message}")


def bad_records(path):
    """Returns the records that --bad-records has written to `path`, as dictionaries."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def session(name, *modules):
    """Returns a Spark session whose executors can import this module, and other modules beside it."""
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName(name).getOrCreate()
    for module in ("fjson_spark.py", *modules):
        spark.sparkContext.addPyFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), module))
    return spark
