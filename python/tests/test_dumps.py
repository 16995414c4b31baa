"""``dumps`` against ``json.dumps``: texts, options, what code of Python does meanwhile."""

from __future__ import annotations

import abc
import collections
import dataclasses
import datetime
import enum
import gc
import json
import pathlib
import subprocess
import sys
import uuid
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fjson
from fjson import _fjson

T = TypeVar("T")

SMALL = st.integers(min_value=-(2**63), max_value=2**64 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | SMALL | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner) | st.lists(inner).map(tuple),
)


def expected(value: Any, **arguments: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, **arguments).encode()


@given(VALUES)
@settings(max_examples=60, deadline=None)
def test_values(value: Any) -> None:
    # Floats have another, equally exact text, so they are compared as values.
    assert json.loads(fjson.dumps(value)) == json.loads(expected(value))
    assert fjson.loads(fjson.dumps(value)) == fjson.loads(expected(value))
    assert json.loads(fjson.dumps(value, option=fjson.OPT_INDENT_2)) == json.loads(expected(value))


@given(st.recursive(st.none() | SMALL | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner)))
@settings(max_examples=60, deadline=None)
def test_texts(value: Any) -> None:
    # json writes the control character DEL as it is, and so do we; everything else is the same, byte by byte.
    assert fjson.dumps(value) == expected(value, separators=(",", ":"))
    assert fjson.dumps(value, option=fjson.OPT_INDENT_2) == expected(value, indent=2)
    sorted_text = expected(value, separators=(",", ":"), sort_keys=True)
    assert fjson.dumps(value, option=fjson.OPT_SORT_KEYS) == sorted_text
    assert fjson.dumps(value, option=fjson.OPT_APPEND_NEWLINE) == expected(value, separators=(",", ":")) + b"\n"


@pytest.mark.parametrize("avx512", [True, False])
def test_strings_of_every_length(avx512: bool) -> None:
    allow = getattr(_fjson, "_allow_avx512", None)
    if allow is None and avx512:
        pytest.skip("another processor")
    compact = (",", ":")
    if allow is not None:
        allow(avx512)
    try:
        for length in range(150):
            plain = "".join(chr(97 + index % 26) for index in range(length))
            texts = {plain, plain + "é", "é" + plain, plain + "€", plain + "😀", plain.replace("k", "\x7f")}
            places = range(length) if length < 70 else (0, 31, 32, 63, 64, length // 2, length - 1)
            texts |= {plain[:at] + character + plain[at + 1 :] for at in places for character in '"\\\0\n\x1f'}
            texts |= {"\n" * length, "a\n" * length, "é\x01" * length}
            for text in texts:
                value = [text, {text: text}]
                assert fjson.dumps(value) == expected(value, separators=compact), text
    finally:
        if allow is not None:
            allow(True)


def test_where_memory_grows() -> None:
    for size in (1024, 8192, 65_536, 262_144):
        for length in range(size - 80, size + 5):
            for value in (["x" * length, 7, "abc"], [1.5] * (length // 4) + ["y" * 40], "\n" * (length // 2)):
                assert fjson.dumps(value) == expected(value, separators=(",", ":"))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_without_memory() -> None:
    program = (
        "import fjson, resource\n"
        "texts = ['x' * 2**20] * 2**12\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "for value in (texts, {'a': texts}):\n"
        "    try:\n"
        "        fjson.dumps(value)\n"
        "    except MemoryError:\n"
        "        print('none')\n"
        "print(fjson.dumps([1]))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "none\nnone\nb'[1]'\n"


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1e16, 1e22, 1e300, 5e-324, 123456789.123, 1 / 3, 2.0**60])
def test_floats(value: float) -> None:
    assert float(fjson.dumps(value)) == value
    assert fjson.dumps([value, float("nan"), float("inf")]) == b"[" + fjson.dumps(value) + b",null,null]"


def test_integers() -> None:
    assert fjson.dumps([2**63 - 1, -(2**63), 2**64 - 1]) == b"[9223372036854775807,-9223372036854775808,18446744073709551615]"
    for value in (2**64, -(2**63) - 1, 10**40):
        with pytest.raises(fjson.JSONEncodeError):
            fjson.dumps(value)
        assert fjson.dumps([value], option=fjson.OPT_BIG_INTEGER) == f"[{value}]".encode()
    for value in (2**53, -(2**53)):
        assert fjson.dumps(value) == str(value).encode()
        with pytest.raises(fjson.JSONEncodeError):
            fjson.dumps(value, option=fjson.OPT_STRICT_INTEGER)
    assert fjson.dumps(2**53 - 1, option=fjson.OPT_STRICT_INTEGER) == b"9007199254740991"


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Point:
    x: float
    y: Color
    _hidden: int = 0


@dataclasses.dataclass(slots=True)
class Slotted:
    b: int
    a: list[Point]


@dataclasses.dataclass
class Derived(abc.ABC, Generic[T]):
    """A class whose bases have slots, but none with a name."""

    n: int


NOON = datetime.datetime(2026, 11, 25, 12, 0, 5, 70, datetime.timezone(datetime.timedelta(hours=-3, minutes=-30)))


def test_other_types() -> None:
    number = uuid.UUID("12345678-1234-5678-1234-567812345678")
    values = [NOON, NOON.date(), NOON.time(), number, Color.RED, Level.HIGH, Slotted(1, [Point(1.0, Color.RED)])]
    assert json.loads(fjson.dumps(values)) == [
        "2026-11-25T12:00:05.000070-03:30",
        "2026-11-25",
        "12:00:05.000070",
        "12345678-1234-5678-1234-567812345678",
        "red",
        3,
        {"b": 1, "a": [{"x": 1.0, "y": "red"}]},
    ]
    derived: Derived[int] = Derived(1)
    setattr(derived, "added", 2)
    assert fjson.dumps(derived) == b'{"n":1,"added":2}'
    assert fjson.dumps(fjson.Fragment("[ 1 ]")) == b"[ 1 ]"
    assert fjson.dumps([fjson.Fragment(b'"a"')]) == b'["a"]'
    ordered = collections.OrderedDict(b=1, a=[collections.Counter("aa")])
    assert fjson.dumps(ordered) == b'{"b":1,"a":[{"a":2}]}'
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(ordered, option=fjson.OPT_PASSTHROUGH_SUBCLASS)
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(NOON, option=fjson.OPT_PASSTHROUGH_DATETIME)
    utc = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
    assert fjson.dumps(utc, option=fjson.OPT_UTC_Z) == b'"2026-01-02T00:00:00Z"'
    assert fjson.dumps(utc.replace(tzinfo=None), option=fjson.OPT_NAIVE_UTC) == b'"2026-01-02T00:00:00+00:00"'
    assert fjson.dumps(NOON, option=fjson.OPT_OMIT_MICROSECONDS) == b'"2026-11-25T12:00:05-03:30"'


def test_keys() -> None:
    keys = {1: "a", 1.5: "b", None: "c", True: "d", Color.RED: "e", NOON.date(): "f"}
    option = fjson.OPT_NON_STR_KEYS
    assert list(json.loads(fjson.dumps(keys, option=option))) == ["1", "1.5", "null", "red", "2026-11-25"]
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(keys)
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps({(1, 2): 3}, option=option)
    assert fjson.dumps({"é": 1, "z": 2, "a": 3}, option=fjson.OPT_SORT_KEYS) == '{"a":3,"z":2,"é":1}'.encode()


@pytest.mark.parametrize(
    "kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "bool"]
)
@pytest.mark.parametrize("shape", [(6,), (2, 3), (3, 1, 2), (0,), (2, 0)])
def test_numpy(kind: str, shape: tuple[int, ...]) -> None:
    array = (numpy.arange(6) * 3 % 5)[: int(numpy.prod(shape))].reshape(shape).astype(kind)
    option = fjson.OPT_SERIALIZE_NUMPY
    assert json.loads(fjson.dumps(array, option=option)) == array.tolist()
    for value in array.flat:
        assert json.loads(fjson.dumps(value, option=option)) == value.item()
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(array)


def test_numpy_times_and_refusals() -> None:
    option = fjson.OPT_SERIALIZE_NUMPY
    times = numpy.array(["1969-12-31T23:59:59.5", "0001-01-01", "9999-12-31", "2000-02-29"], "datetime64[us]")
    texts = json.loads(fjson.dumps(times, option=option))
    assert texts == ["1969-12-31T23:59:59.500000", "0001-01-01T00:00:00", "9999-12-31T00:00:00", "2000-02-29T00:00:00"]
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(numpy.datetime64("NaT"), option=option)
    assert fjson.dumps(numpy.datetime64(-1, "ns"), option=option) == b'"1969-12-31T23:59:59.999999"'
    assert fjson.dumps(numpy.array([2, -1], "datetime64[25Y]"), option=option) == b'["2020-01-01T00:00:00","1945-01-01T00:00:00"]'
    # numpy itself makes years of four digits of these.
    for large in (numpy.datetime64(10**17, "s"), numpy.datetime64(2**62, "s"), numpy.datetime64(2**62, "Y")):
        for time in (large, numpy.array([large])):
            with pytest.raises(fjson.JSONEncodeError, match="out of range"):
                fjson.dumps(time, option=option)
    square = numpy.arange(9).reshape(3, 3)
    for value in (square.T, numpy.array(["a"]), numpy.array(1j), square.astype(">i8")):
        with pytest.raises(fjson.JSONEncodeError):
            fjson.dumps(value, option=option)
        assert fjson.dumps(value, default=lambda array: "?", option=option) == b'"?"'


class Other:
    pass


def test_default() -> None:
    assert fjson.dumps([Other(), {1}], default=lambda value: sorted(value) if isinstance(value, set) else None) == b"[null,[1]]"
    with pytest.raises(fjson.JSONEncodeError, match="Type is not JSON serializable: Other"):
        fjson.dumps([Other()])

    def fail(_: Any) -> Any:
        raise KeyError("x")

    with pytest.raises(fjson.JSONEncodeError) as raised:
        fjson.dumps([Other()], default=fail)
    assert isinstance(raised.value.__cause__, KeyError)
    with pytest.raises(fjson.JSONEncodeError, match="recursion"):
        fjson.dumps(Other(), default=lambda value: value)


def test_changes_while_writing() -> None:
    """What ``default`` does to the containers around an object."""
    elements: list[Any] = [1, Other(), "a"]

    def shrink(_: Any) -> int:
        elements.clear()
        gc.collect()
        return 2

    assert fjson.dumps(elements, default=shrink) == b"[1,2]"
    members: dict[str, Any] = {"a": Other(), "b": 1}

    def grow(_: Any) -> int:
        members.update({str(number): number for number in range(100)})
        return 2

    with pytest.raises(fjson.JSONEncodeError, match="changed size"):
        fjson.dumps(members, default=grow)
    inner: Any = {"k": Other(), "z": "z" * 100}
    outer = [inner]
    del inner

    def drop(_: Any) -> Any:
        outer.clear()
        gc.collect()
        return fjson.loads(fjson.dumps([3]))

    assert fjson.dumps(outer, default=drop) == b'[{"k":[3],"z":"' + b"z" * 100 + b'"}]'


def test_depth() -> None:
    itself: list[Any] = []
    itself.append(itself)
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps(itself)
    deep: Any = 1
    for _ in range(254):
        deep = [deep]
    assert fjson.dumps(deep).count(b"[") == 254
    with pytest.raises(fjson.JSONEncodeError):
        fjson.dumps({"a": deep})


def test_arguments() -> None:
    wrong: list[tuple[Any, Any]] = [((), {}), ((1, None, None, None), {}), ((1,), {"x": 1}), ((1, None), {"default": None})]
    for arguments, names in wrong:
        with pytest.raises(TypeError):
            fjson.dumps(*arguments, **names)
    for option in (True, -1, 1 << 12, 1 << 70, "1"):
        with pytest.raises(fjson.JSONEncodeError):
            fjson.dumps(1, option=option)  # type: ignore[arg-type]
    assert fjson.dumps(1, None, None) == fjson.dumps(1, default=None, option=0) == b"1"


BAD: list[Callable[[], object]] = [
    lambda: fjson.dumps([1, {"a": [Other()]}]),
    lambda: fjson.dumps([{"a": Other()}], default=len),
    lambda: fjson.dumps({1: 2}),
    lambda: fjson.dumps(["\ud800"]),
    lambda: fjson.dumps([2**70]),
    lambda: fjson.dumps(1, option=-1),
    lambda: fjson.dumps({"a": {(1,): 2}}, option=fjson.OPT_NON_STR_KEYS),
]


@pytest.mark.parametrize("call", BAD)
def test_errors_leak_nothing(call: Callable[[], object], leaks: Callable[[Callable[[], object]], int]) -> None:
    def run() -> None:
        try:
            call()
        except TypeError:
            pass

    assert leaks(run) < 500


def test_values_leak_nothing(leaks: Callable[[Callable[[], object]], int]) -> None:
    value = [1, 2.5, "é", {"a": None, "b": (True,)}, NOON, Color.RED, Point(1.0, Color.RED), uuid.uuid4(), Level.HIGH]
    assert leaks(lambda: fjson.dumps(value, option=fjson.OPT_SORT_KEYS)) < 500
    array = numpy.arange(10.0)
    assert leaks(lambda: fjson.dumps([array, array[1]], option=fjson.OPT_SERIALIZE_NUMPY)) < 500


def test_corpus_equals_orjson(corpus: pathlib.Path) -> None:
    """Byte by byte, for every data set that both read to the same value."""
    orjson = pytest.importorskip("orjson")
    count = 0
    for path in sorted((corpus / "nativejson").glob("*.json")):
        value = orjson.loads(path.read_bytes())
        for option in (0, orjson.OPT_INDENT_2, orjson.OPT_SORT_KEYS):
            assert fjson.dumps(value, option=option) == orjson.dumps(value, option=option), path
        assert fjson.loads(path.read_bytes()) == value
        count += 1
    assert count > 0
