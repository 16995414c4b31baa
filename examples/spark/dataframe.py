"""A DataFrame with a schema: fjson writes CSV, Arrow reads it in C++, and Spark gets columns.

    python3 dataframe.py FILE…

`--null ''` writes null and missing values as nothing and an empty string as "", and Arrow is told so: a string column has both.
The rest of the plan is Spark SQL.
"""

import sys

from fjson_spark import SPLIT, open_query, partitions, session, split_line, splits

# Name, type in Spark, type in Arrow and expression of each column.
COLUMNS = [
    ("ts", "string", "string", "$.ts"),
    ("ip", "string", "string", "$.ctx.ip"),
    ("user", "long", "int64", "$.ctx.user.id"),
    ("ms", "double", "float64", "$.ms"),
]
WHERE = ["--where", "@.level == 'error'", "--skip-bad"]


def arguments():
    columns = [word for name, _, _, path in COLUMNS for word in ("-p", f"{name}={path}")]
    return [*columns, "--csv", "--null", "", *WHERE]


def schema():
    return ", ".join(f"{name} {kind}" for name, kind, _, _ in COLUMNS)


def batches(splits):
    """Yields Arrow batches of the rows that fjson finds in splits."""
    import pyarrow.csv as csv

    names = [name for name, _, _, _ in COLUMNS]
    types = {name: kind for name, _, kind, _ in COLUMNS}
    with open_query(arguments(), [split_line(split) for split in splits]) as output:
        if output.peek(1):
            reader = csv.open_csv(
                output,
                # One thread, because Spark gives each task one core.
                read_options=csv.ReadOptions(column_names=names, use_threads=False),
                parse_options=csv.ParseOptions(newlines_in_values=True),
                convert_options=csv.ConvertOptions(
                    column_types=types, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
                ),
            )
            yield from reader


def in_arrow(rows):
    for batch in rows:
        yield from batches(zip(*(column.to_pylist() for column in batch.columns)))


def in_pandas(frames):
    for frame in frames:
        for batch in batches(frame.itertuples(index=False)):
            yield batch.to_pandas()


def frame_of(spark, files, size=SPLIT, pandas=False):
    """Returns the errors in the files as a DataFrame."""
    parts = [tuple(map(str, split)) for split in splits(files, size)]
    rows = spark.sparkContext.parallelize(parts, partitions(parts, files))
    frame = spark.createDataFrame(rows, "file string, start string, end string")
    return frame.mapInPandas(in_pandas, schema()) if pandas else frame.mapInArrow(in_arrow, schema())


def run(spark, files, size=SPLIT, pandas=False):
    """Returns the sum of the ids of users with slow errors, and their number."""
    slow = frame_of(spark, files, size, pandas).where("ms > 500")
    return tuple(slow.selectExpr("sum(user)", "count(*)").first())


if __name__ == "__main__":
    frame_of(session("dataframe", "dataframe.py"), sys.argv[1:]).groupBy("ip").agg({"ms": "avg", "user": "count"}).show()
