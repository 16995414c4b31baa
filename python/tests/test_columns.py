"""Columns of records, as pyarrow and others read them."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import gc
import gzip
import io
import json
import pathlib
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fjson

pa: Any = pytest.importorskip("pyarrow")

LOG = '{"ms": 20, "user": {"id": 7}, "tags": ["a", null]}\n{"ms": 1.5, "é": "\\u00e9"}\n\n{"ms": null, "tags": []}\n'


def rows(columns: fjson.Columns) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = pa.table(columns).to_pylist()
    return listed


def check(kind: Any, got: Any, expected: Any) -> None:
    """Whether a value of a column is that of the record."""
    if expected is None:
        assert got is None
    elif kind == "json":
        assert json.loads(got) == expected
    elif isinstance(kind, list):
        assert len(got) == len(expected)
        for one, other in zip(got, expected):
            check(kind[0], one, other)
    elif isinstance(kind, dict):
        assert expected.keys() <= kind.keys()
        for name in kind:
            check(kind[name], got[name], expected.get(name))
    elif kind == "float64":
        assert got == float(expected)
    else:
        assert got == expected and type(got) is type(expected)


NAMES = st.sampled_from(["a", "b", "é", "a b", "", "a\\/"]) | st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=9)
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=9)
# Columns whose values have mostly the same type.
COLUMNS = st.dictionaries(NAMES, st.sampled_from([st.booleans(), st.integers(0, 2**64 - 1), st.integers(-9, 9), st.text(), st.floats(-9, 9), VALUES]), max_size=5)


@settings(max_examples=40, deadline=None)
@given(st.data(), COLUMNS, st.booleans(), st.sampled_from([1, 3, 1000]))
def test_same_values_as_json(data: st.DataObject, columns: dict[str, st.SearchStrategy[Any]], ascii: bool, batch_size: int) -> None:
    record = st.fixed_dictionaries({}, optional={name: st.none() | values for name, values in columns.items()})
    records = data.draw(st.lists(record, max_size=9))
    # The first member of two with the same key does not count.
    text = "".join(json.dumps(it, ensure_ascii=ascii).replace("{", '{"a": 0, ' if "a" in it else "{", 1) + "\n" for it in records)
    found = fjson.columns(text.encode(errors="surrogatepass") if ascii else text, infer=None, batch_size=batch_size)
    table = pa.table(found)
    table.validate(full=True)
    assert table.num_rows == len(records)
    for got, expected in zip(table.to_pylist(), records):
        check(found.types, got, expected)
    assert [name for record in records for name in record if name not in found.types] == []


@settings(max_examples=40, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=6), st.sampled_from([1, 2, 1000]))
def test_whole_records(records: list[Any], batch_size: int) -> None:
    text = "".join(json.dumps(it) + "\n" for it in records)
    found = fjson.columns(text, {"all": "$", "first": "$[0]", "some": "$[*]"}, infer=None, batch_size=batch_size)
    table = pa.table(found)
    table.validate(full=True)
    for got, expected in zip(table.to_pylist(), records):
        check(found.types["all"], got["all"], expected)
        elements = expected if isinstance(expected, list) else list(expected.values()) if isinstance(expected, dict) else []
        check(found.types["some"], got["some"], elements)
        check(found.types["first"], got["first"], expected[0] if isinstance(expected, list) and expected else None)


def test_types() -> None:
    text = '{"i": -9223372036854775808, "u": 18446744073709551615, "f": 1, "b": true, "s": "\\ud83d\\ude00", "j": [1 , 2], "d": "2024-02-29"}\n{"i": 1.0e1, "f": -0.0}\n'
    types: dict[str, Any] = {"i": "int64", "u": "uint64", "f": "float64", "b": "bool", "s": "string", "j": "json", "d": "date"}
    columns = fjson.columns(text, types=types, infer=0)
    assert columns.types == types
    first, second = rows(columns)
    assert first == {"i": -(2**63), "u": 2**64 - 1, "f": 1.0, "b": True, "s": "😀", "j": "[1 , 2]", "d": datetime.date(2024, 2, 29)}
    assert second == {"i": 10, "u": None, "f": 0.0, "b": None, "s": None, "j": None, "d": None}
    nested = fjson.columns('{"a": [{"b": 1, "c": 2}, null, {}]}\n{"a": null}', types={"a": [{"b": "int64"}]}, infer=0)
    assert rows(nested) == [{"a": [{"b": 1}, None, {"b": None}]}, {"a": None}]
    assert fjson.columns(LOG).types == {"ms": "float64", "user": {"id": "int64"}, "tags": ["string"], "é": "string"}
    assert fjson.columns('{"a": 1, "b": -1, "c": 1, "d": 1, "e": [], "f": {}, "g": null}\n{"a": 18446744073709551615, "b": 18446744073709551615, "c": 99999999999999999999, "d": "x"}').types == {
        "a": "uint64", "b": "float64", "c": "float64", "d": "json", "e": ["json"], "f": "json", "g": "json",
    }
    deep = fjson.columns("[" * 100 + "]" * 100, {"a": "$"})
    assert len(json.loads(str(rows(deep)[0]["a"]).replace("'", "").replace("None", "null"))) == 1


@settings(max_examples=40, deadline=None)
@given(st.datetimes(), st.sampled_from(["s", "ms", "us", "ns"]), st.integers(-1439, 1439))
def test_times(moment: datetime.datetime, unit: str, minutes: int) -> None:
    moment = moment.replace(microsecond={"s": 0, "ms": moment.microsecond // 1000 * 1000}.get(unit, moment.microsecond))
    zoned = moment.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=minutes)))
    text = json.dumps({"a": moment.isoformat(), "b": zoned.isoformat(), "c": moment.date().isoformat()})
    types: dict[str, Any] = {"a": f"timestamp[{unit}]", "b": f"timestamp[{unit}, UTC]", "c": "date"}
    table = pa.table(fjson.columns(text, types=types, null_mismatches=True))
    assert table.schema.field("b").type == pa.timestamp(unit, "UTC")
    elapsed = moment - datetime.datetime(1970, 1, 1)
    count = (elapsed.days * 86_400 + elapsed.seconds) * 10**6 + elapsed.microseconds
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    for column, expected in (("a", count * scale // 10**6), ("b", (count - minutes * 60 * 10**6) * scale // 10**6)):
        fits = -(2**63) <= expected < 2**63
        assert table.column(column).cast(pa.int64()).to_pylist() == [expected if fits else None]
    assert table.column("c").to_pylist() == [moment.date()]


def test_wrong_times() -> None:
    wrong = ["2026-02-29", "2026-13-01", "2026-1-01", "2026-01-00", "2026-01-32", "x", "", "2026-01-01x", 7, "２026-01-01"]
    text = "".join(json.dumps({"a": it}) + "\n" for it in wrong)
    assert fjson.columns(text, types={"a": "date"}, null_mismatches=True)
    assert [row["a"] for row in rows(fjson.columns(text, types={"a": "date"}, null_mismatches=True))] == [None] * len(wrong)
    moments = ["2026-01-01", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z"]
    moments += ["2026-01-01T00:00:00.0000001Z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00Zz", "2026-01-01_00:00:00Z"]
    text = "".join(json.dumps({"a": it}) + "\n" for it in moments)
    assert [row["a"] for row in rows(fjson.columns(text, types={"a": "timestamp[us, UTC]"}, null_mismatches=True))] == [None] * len(moments)
    assert rows(fjson.columns('{"a": "2026-01-01 00:00:00.1000000000z"}', types={"a": "timestamp[us, UTC]"}))[0]["a"].microsecond == 100_000


def test_paths() -> None:
    text = '{"a": {"b": 1, "c": [1, {"d": "x"}]}, "k/1": 2}\n{"a": {"b": 2}, "a": {"c": []}}\n{"a": 7}\n'
    paths: dict[str, Any] = {"a": "$.a", "b": "$.a.b", "d": "/a/c/1/d", "k": "/k~11", "all": "$..d", "c": fjson.Query("$.a.c")}
    found = fjson.columns(text, paths)
    assert found.types == {"a": "json", "b": "int64", "d": "string", "k": "int64", "all": ["string"], "c": ["json"]}
    assert [row["d"] for row in rows(found)] == ["x", None, None]
    assert [row["all"] for row in rows(found)] == [["x"], [], []]
    assert [row["k"] for row in rows(found)] == [2, None, None]
    # Of two members with the same key, the last one counts, with all that is in it.
    assert [row["b"] for row in rows(fjson.columns(text, {"b": "$.a.b"}, types={"b": "int64"}))] == [1, None, None]
    assert rows(fjson.columns(text, ["k/1"]))[0] == {"k/1": 2}
    deep = '{"a": ' * 500 + "7" + "}" * 500
    assert rows(fjson.columns(deep, {"x": "$" + ".a" * 500})) == [{"x": 7}]
    with pytest.raises(ValueError, match="20000 different keys"):
        fjson.columns("".join(f'{{"{number}": 1}}\n' for number in range(20_000)), infer=None)
    assert fjson.columns("", ["x"]).types == {"x": "json"} and rows(fjson.columns("")) == []


def test_wrong_arguments() -> None:
    wrong: list[tuple[Any, ...]] = [("x",), ({"a": "$.["},), ([1],), (["a", "a"],), ({"a": 1},), (["a\0"],), ({}, {"b": "int64"})]
    wrong += [({"a": "$..b"}, {"a": "int64"})]
    wrong += [(["a"], {"a": kind}) for kind in ("int", [], ["int64", "int64"], {}, 7, "timestamp[us", "timestamp[us,UTC]", {1: "int64"})]
    for arguments in wrong:
        with pytest.raises((ValueError, TypeError)):
            fjson.columns("{}", arguments[0], types=arguments[1] if len(arguments) > 1 else None)
    kind: Any = "int64"
    for _ in range(100):
        kind = [kind]
    wrong_options: list[dict[str, Any]] = [{"types": {"a": kind}}, {"batch_size": 0}]
    for options in wrong_options:
        with pytest.raises(ValueError):
            fjson.columns("{}", **options)


def test_values_of_other_types() -> None:
    text = "".join(f'{{"id": {number}, "x": {{"y": [1]}}}}\n' for number in range(5000)).replace('"id": 4000,', '"id": "é",')
    found = fjson.columns(text, types={"x": {"y": ["int64"]}}, infer=10, batch_size=1500)
    for threads in (1, 3):
        columns = fjson.columns(text, infer=10, batch_size=1500, threads=threads)
        batches = iter(columns)
        assert [len(next(batches)) for _ in range(3)] == [1500, 1500, 1000]
        with pytest.raises(fjson.JSONDecodeError) as raised:
            next(batches)
        error = raised.value
        assert (error.record, error.pointer, error.pos, error.msg) == (4001, "/id", 7, 'found the string "é", expected int64')
        assert error.doc == '{"id": "é", "x": {"y": [1]}}'
        with pytest.raises(StopIteration):
            next(batches)
    with pytest.raises(pa.ArrowInvalid, match='found the string "é", expected int64: record 4001, at /id'):
        pa.table(found)
    lenient = fjson.columns(text, infer=10, null_mismatches=True)
    assert rows(lenient)[4000]["id"] is None and lenient.mismatches == 1
    cases: list[tuple[str, dict[str, Any], str]] = [
        ('{"a": [1, {"b": "x"}]}', {"a": [{"b": "string"}]}, "/a/0"),
        ('{"a": [{"b": "\\ud800"}]}', {"a": [{"b": "string"}]}, "/a/0/b"),
        ('{"a": 1e400}', {"a": "float64"}, "/a"),
        ('{"a": 9223372036854775808}', {"a": "int64"}, "/a"),
        ('{"a": -1}', {"a": "uint64"}, "/a"),
        ("[1]", {"a": "string"}, ""),
    ]
    for record, types, pointer in cases:
        misfits = fjson.columns(record, types=types, infer=0)
        with pytest.raises(fjson.JSONDecodeError) as raised:
            next(iter(misfits))
        assert raised.value.pointer == pointer
        lenient = fjson.columns(record, types=types, infer=0, null_mismatches=True)
        assert len(rows(lenient)) == 1 and lenient.mismatches == 1


def test_members_that_were_not_inferred() -> None:
    text = '{"a": {"b": 1}}\n{"a": {"b": 1, "c": 2}, "d": 3}\n'
    with pytest.raises(fjson.JSONDecodeError, match='found the key "d", expected one of those that were inferred') as raised:
        list(fjson.columns(text, infer=1))
    assert raised.value.help and raised.value.pos == 24
    with pytest.raises(fjson.JSONDecodeError, match='"c"'):
        list(fjson.columns(text, ["a"], infer=1))
    lenient = fjson.columns(text, infer=1, null_mismatches=True)
    assert rows(lenient) == [{"a": {"b": 1}}] * 2 and lenient.mismatches == 2
    assert rows(fjson.columns(text, ["a"], types={"a": {"b": "int64"}})) == [{"a": {"b": 1}}] * 2


def test_bad_lines() -> None:
    text = '{"a": 1}\n{"a": }\n{"a": 2}\n'
    batches = iter(fjson.columns(text))
    assert len(next(batches)) == 1
    with pytest.raises(fjson.JSONDecodeError) as raised:
        next(batches)
    assert (raised.value.record, raised.value.doc) == (2, '{"a": }')
    with pytest.raises(pa.ArrowInvalid, match="record 2, at /a"):
        pa.table(fjson.columns(text))
    columns = fjson.columns(text, skip_bad=True)
    assert rows(columns) == [{"a": 1}, {"a": 2}] and columns.skipped == 1


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_sources(threads: int, tmp_path: pathlib.Path) -> None:
    text = "".join(f'{{"id": {number}, "msg": "é{number}"}}\n' for number in range(10_000))
    expected = [json.loads(line) for line in text.splitlines()]
    path, compressed = tmp_path / "log.ndjson", tmp_path / "log.gz"
    path.write_text(text)
    compressed.write_bytes(gzip.compress(text.encode()))
    for source in (text, text.encode(), path, compressed, compressed.read_bytes()):
        columns = fjson.columns(source, threads=threads, infer=100, batch_size=4000)
        for _ in range(2):
            assert rows(columns) == expected
        assert [len(batch) for batch in columns] == [4000, 4000, 2000]
    for stream in (io.StringIO(text), path.open("rb"), io.BytesIO(compressed.read_bytes())):
        with stream:
            columns = fjson.columns(stream, threads=threads, infer=100)
            assert rows(columns) == expected
            with pytest.raises(ValueError, match="only once"):
                iter(columns)
    # The last record counts, too.
    late = text + '{"id": "x"}\n'
    everything: list[Any] = [late, io.StringIO(late), gzip.compress(late.encode())]
    for whole in everything:
        assert fjson.columns(whole, infer=None, threads=threads).types == {"id": "json", "msg": "string"}
    with pytest.raises(KeyError):
        fjson.columns(Failing())
    with pytest.raises(KeyError):
        list(fjson.columns(Failing(), types={}, infer=0))
    with pytest.raises(FileNotFoundError):
        fjson.columns(tmp_path / "missing")


def test_shown() -> None:
    assert repr(fjson.columns('{"a": 1, "b": ["x"]}')) == "<fjson.Columns {'a': 'int64', 'b': ['string']}>"


def test_ranges(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text("".join(f'{{"id": {number}}}\n' for number in range(100)))
    cuts = [0, 1, 300, 310, 700, None]
    for source in (path, path.read_bytes(), path.read_text()):
        parts = [rows(fjson.columns(source, range=(start, end))) for start, end in zip(cuts, cuts[1:])]
        assert [row["id"] for part in parts for row in part] == list(range(100)) and parts[0] == [{"id": 0}] and len(parts[2]) == 1
    for compressed in (gzip.compress(path.read_bytes()), io.BytesIO(path.read_bytes())):
        for infer in (10, 0):
            with pytest.raises(ValueError, match="ranges need"):
                list(fjson.columns(compressed, ["id"], types={"id": "int64"} if infer == 0 else {}, infer=infer, range=(5, None)))


class Failing:
    def read(self, size: int) -> bytes:
        raise KeyError("own")


def test_batches() -> None:
    columns = fjson.columns(LOG, batch_size=2)
    batches = list(columns)
    assert [len(batch) for batch in batches] == [2, 1]
    record_batches = [pa.record_batch(batch) for batch in batches]
    # A batch can be exported again, and outlives the objects that it is from.
    again = pa.record_batch(batches[0])
    del batches, columns
    assert record_batches[0] == again and again.schema == pa.schema(fjson.columns(LOG))
    assert again.to_pylist() == [{"ms": 20.0, "user": {"id": 7}, "tags": ["a", None], "é": None}, {"ms": 1.5, "user": None, "tags": None, "é": "é"}]


def test_other_libraries() -> None:
    expected = rows(fjson.columns(LOG))
    polars: Any = pytest.importorskip("polars")
    assert polars.DataFrame(fjson.columns(LOG, batch_size=1)).to_dicts() == expected
    pandas: Any = pytest.importorskip("pandas", minversion="3")
    assert list(pandas.DataFrame.from_arrow(fjson.columns(LOG))["ms"].fillna(0)) == [20.0, 1.5, 0.0]
    duckdb: Any = pytest.importorskip("duckdb")
    columns = fjson.columns(LOG)
    assert duckdb.sql("SELECT sum(ms), count(*) FROM columns").fetchall() == [(21.5, 3)] and columns


def test_memory_is_released() -> None:
    """Neither what was used nor what was left half used stays in memory."""

    class Malloc(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

    mallinfo: Any = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if mallinfo is None:
        pytest.skip("only glibc says how much memory is in use")
    mallinfo.restype = Malloc
    data = (b'{"id": 1, "msg": "' + b"x" * 200 + b'", "tags": [{"a": [1, 2]}, null]}\n') * 500

    def run() -> None:
        columns = fjson.columns(data, infer=10, batch_size=100)
        pa.table(columns)
        next(iter(columns))
        columns.__arrow_c_stream__()
        columns.__arrow_c_schema__()
        pa.RecordBatchReader.from_stream(columns).read_next_batch()
        next(iter(columns)).__arrow_c_array__()

    def is_reading() -> bool:
        for thread in pathlib.Path("/proc/self/task").glob("*/comm"):
            # It may have ended.
            with contextlib.suppress(OSError):
                if thread.read_text() == "fjson.columns\n":
                    return True
        return False

    def used() -> int:
        gc.collect()
        while is_reading():
            time.sleep(0.01)
        memory = mallinfo()
        return int(memory.uordblks + memory.hblkhd)

    for _ in range(3):
        run()
    before = used()
    for _ in range(5):
        run()
    # One batch has 25 kB.
    assert used() - before < 100_000


def test_columns_leak_nothing() -> None:
    def run() -> None:
        list(fjson.columns('{"a": [1, "x"]}'))
        for text in ('{"a": 1}\n{"a": "x"}', '{"a": }'):
            with pytest.raises(fjson.JSONDecodeError):
                list(fjson.columns(text, infer=1))

    for _ in range(20):
        run()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(100):
        run()
    gc.collect()
    assert sys.getallocatedblocks() - before < 200
