"""Runs each recipe and Spark's own reader on the same files, compares their answers, and measures wall and processor time.

    python3 measure.py FOLDER

FOLDER/parts has a log in several files, FOLDER/whole.jsonl the same log in one file, and FOLDER/bad the number of its bad records;
`.ci/run spark` makes them. The cluster is a local one with two workers of one core. Processor time is that of the driver and of
everything it has started. Then tasks are killed, and the answers must be the same.
"""

import glob
import os
import signal
import stat
import sys
import tempfile
import time

import bad_records
import columns
import dataframe
import fjson_spark
import names
import ranges

RUNS = int(os.environ.get("RUNS", "2"))
SCHEMA = """ts string, level string, msg string, ctx struct<user: struct<id: long, name: string>, ip: string>, tags array<string>,
    ms double"""
PRUNED = "level string, ctx struct<user: struct<id: long>>, ms double"
TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(process):
    """Returns the processor seconds of a process, of all that it has started, and of those of them that have ended."""
    total, todo = 0, [process]
    while todo:
        try:
            process = todo.pop()
            with open(f"/proc/{process}/stat") as fields:
                total += sum(map(int, fields.read().rsplit(")", 1)[1].split()[11:15]))
            for children in glob.glob(f"/proc/{process}/task/*/children"):
                with open(children) as numbers:
                    todo.extend(map(int, numbers.read().split()))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total / TICKS


def read_json(spark, files, schema):
    frame = spark.read.schema(schema).json(files).where("level = 'error' and ms > 500")
    return tuple(frame.selectExpr("sum(ctx.user.id)", "count(*)").first())


def read_json_with_bad_records(spark, files):
    frame = spark.read.schema(SCHEMA + ", _corrupt_record string").json(files)
    slow = "case when level = 'error' and ms > 500 then ctx.user.id end"
    return tuple(frame.selectExpr(f"sum({slow})", f"count({slow})", "count(_corrupt_record)").first())


def measured(run):
    """Returns the answer, the wall time and the processor time."""
    processor, wall = processor_time(os.getpid()), time.monotonic()
    answer = run()
    return answer, time.monotonic() - wall, processor_time(os.getpid()) - processor


def compare(title, contestants):
    """Runs all contestants in turn, and prints the best times of each. The first one's answer is the expected one."""
    times, expected = {}, None
    for _ in range(RUNS):
        for name, run in contestants.items():
            answer, wall, processor = measured(run)
            expected = answer if expected is None else expected
            if answer != expected:
                sys.exit(f"{name}: {answer}, but {next(iter(contestants))}: {expected}")
            times.setdefault(name, []).append((wall, processor))
    print(f"\n{title}: {expected}\n\n| | wall | | processor time | |\n|---|---:|---:|---:|---:|")
    best = {name: [min(column) for column in zip(*runs)] for name, runs in times.items()}
    base = next(iter(best.values()))
    for name, (wall, processor) in best.items():
        print(f"| {name} | {wall:.2f} s | {base[0] / wall:.1f} × | {processor:.2f} s | {base[1] / processor:.1f} × |")
    sys.stdout.flush()


def once(folder, name):
    """Returns true for the first caller with this name, on any process of this machine."""
    try:
        os.mkdir(os.path.join(folder, name))
        return True
    except FileExistsError:
        return False


def parent(process):
    with open(f"/proc/{process}/stat") as fields:
        return int(fields.read().rsplit(")", 1)[1].split()[1])


def killed(spark, files, size, folder):
    """The answer of ranges.py while a Python worker and an executor are killed in the middle of their output."""

    def rows(index, lines):
        with fjson_spark.open_query(names.SLOW_ERRORS, lines) as output:
            ids = [int(output.readline()) for _ in range(100)]
            if index == 1 and once(folder, "worker"):
                os.kill(os.getpid(), signal.SIGKILL)
            if index == 3 and once(folder, "executor"):
                # The parent of this process is the daemon of Python workers, and the parent of that is the executor.
                os.kill(parent(os.getppid()), signal.SIGKILL)
            ids.extend(map(int, output))
            return [(sum(ids), len(ids))]

    lines = [fjson_spark.split_line(split) for split in fjson_spark.splits(files, size)]
    answer = spark.sparkContext.parallelize(lines, len(lines)).mapPartitionsWithIndex(rows).reduce(names.add)
    happened = sorted(os.listdir(folder))
    if happened != ["executor", "worker"]:
        sys.exit(f"killed only {happened}")
    return answer


def retried(spark, files, folder):
    """The answer of names.pipe while fjson itself is killed once after a part of its output."""
    program = fjson_spark.QUERY[0]
    wrapper = os.path.join(folder, "wrapper")
    with open(wrapper, "w") as script:
        script.write(f'#!/bin/sh\nif mkdir {folder}/fjson 2>/dev/null; then {program} "$@" | head -n 100; kill -9 $$; fi\n')
        script.write(f'exec {program} "$@"\n')
    os.chmod(wrapper, stat.S_IRWXU)
    fjson_spark.QUERY[0] = wrapper
    answer = names.pipe(spark, files)
    fjson_spark.QUERY[0] = program
    if not os.path.isdir(os.path.join(folder, "fjson")):
        sys.exit("fjson was not killed")
    return answer


def main(folder):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,2048]")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }.items():
        builder = builder.config(key, value)
    builder.getOrCreate().sparkContext.setLogLevel("OFF")
    spark = fjson_spark.session("measure", "names.py", "ranges.py", "dataframe.py", "columns.py", "bad_records.py", "measure.py")
    parts, whole = sorted(glob.glob(os.path.join(folder, "parts", "*.jsonl"))), [os.path.join(folder, "whole.jsonl")]
    with open(os.path.join(folder, "bad")) as number:
        bad = int(number.read())
    # A smaller split, so that a small test has several, too.
    size = min(fjson_spark.SPLIT, max(1, os.path.getsize(whole[0]) // 8))
    # Starts the executors and their Python workers, and lets the JVM compile what the first measurement would pay for.
    for _ in range(2):
        names.run(spark, parts[:4])
        dataframe.run(spark, parts[:4])
        columns.run(spark, parts[:4])
        read_json(spark, parts[:4], SCHEMA)

    recipes = lambda files: {
        "`read.json`, schema of all fields": lambda: read_json(spark, files, SCHEMA),
        "`read.json`, schema of the three fields": lambda: read_json(spark, files, PRUNED),
        "`names.py`": lambda: names.run(spark, files),
        "`names.py`, `RDD.pipe`": lambda: names.pipe(spark, files),
        "`ranges.py`": lambda: ranges.run(spark, files, size),
        "`dataframe.py`, `mapInArrow`": lambda: dataframe.run(spark, files, size),
        "`columns.py`, `mapInArrow`": lambda: columns.run(spark, files, size),
        "`dataframe.py`, `mapInPandas`": lambda: dataframe.run(spark, files, size, pandas=True),
    }
    compare(f"Slow errors in {len(parts)} files", recipes(parts))
    large = recipes(whole)
    del large["`names.py`"], large["`names.py`, `RDD.pipe`"]
    compare("Slow errors in one file", large)

    def with_bad_records():
        answer, counted = bad_records.run(spark, whole, size)
        if counted != answer[2] or counted != bad:
            sys.exit(f"{answer[2]} bad records, counted {counted}, made {bad}")
        return answer

    compare(
        "Slow errors and bad records in one file",
        {
            "`read.json`, with `_corrupt_record`": lambda: read_json_with_bad_records(spark, whole),
            "`bad_records.py`": with_bad_records,
        },
    )
    with tempfile.TemporaryDirectory() as marks:
        if killed(spark, whole, size, marks) != ranges.run(spark, whole, size):
            sys.exit("another answer after a worker and an executor were killed")
    with tempfile.TemporaryDirectory() as marks:
        if retried(spark, parts, marks) != names.run(spark, parts):
            sys.exit("another answer after fjson was killed")
    print("\nThe same answers after a Python worker, an executor and fjson itself were killed.")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
