"""``loads`` against ``json.loads``: values, errors, places, memory."""

from __future__ import annotations

import json
import math
import pathlib
import pickle
import random
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fjson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def same(first: Any, second: Any) -> bool:
    """Whether two values are equal, with their types, the signs of zeros and the order of keys."""
    return repr(first) == repr(second)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
@settings(max_examples=60, deadline=None)
def test_values(value: Any, ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        with pytest.raises(fjson.JSONDecodeError):
            fjson.loads(text)
        return
    if "\\ud" in text:
        # Lone surrogates have no UTF-8, and pairs have been joined.
        try:
            repr(value).encode()
        except UnicodeEncodeError:
            with pytest.raises(fjson.JSONDecodeError):
                fjson.loads(text)
            return
    for form in (text, data, bytearray(data), memoryview(data)):
        assert same(fjson.loads(form), json.loads(text))


@pytest.mark.parametrize("length", [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 300])
@pytest.mark.parametrize("character", ["a", "é", "ā", "東", "\uffff", "😀", "\\", "\n"])
def test_strings(length: int, character: str) -> None:
    plain = "x" * length
    for text in (plain + character, character + plain, plain[: length // 2] + character + plain[length // 2 :], plain):
        for ascii in (False, True):
            document = json.dumps({text: [text], "k" + text: text}, ensure_ascii=ascii)
            value = fjson.loads(document)
            assert same(value, json.loads(document))
            # The internal form is the narrowest one, on which comparison relies.
            assert sys.getsizeof(value[text][0]) == sys.getsizeof(json.loads(document)[text][0])


@pytest.mark.parametrize(
    "text",
    ["0", "-0", "-0.0", "0.0", "-0e5", "1", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615"]
    + ["18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1" * 4300, "-" + "9" * 4300]
    + ["1e22", "1e23", "5e-324", "2e-324", "1e-400", "1.7976931348623157e308", "123456789.123456789e-5", "1E+2"],
)
def test_numbers(text: str) -> None:
    for form in (text, f"[{text}]", f'{{"a": {text} }}'):
        assert same(fjson.loads(form), json.loads(form))


def test_doubles() -> None:
    """Random bits, and random digits near the places where rounding is difficult."""
    chosen = random.Random(17)
    texts = []
    for _ in range(20_000):
        (value,) = struct.unpack("d", chosen.randbytes(8))
        if math.isfinite(value):
            texts.append(repr(value))
        texts.append(f"{chosen.randrange(10**17, 10**18)}e{chosen.randrange(-40, 40)}")
    assert same(fjson.loads("[" + ",".join(texts) + "]"), [float(text) for text in texts])


@pytest.mark.parametrize("text", ["1e400", "-1e400", "[1, 2e308]", "1" * 4301, '["\\ud800"]', '{"\\udc00": 1}'])
def test_no_form_in_python(text: str) -> None:
    with pytest.raises(fjson.JSONDecodeError):
        fjson.loads(text)


def test_depth() -> None:
    value, depth = fjson.loads("[" * 1024 + "]" * 1024), 1
    while value:
        (value,), depth = value, depth + 1
    assert depth == 1024
    for text in ("[" * 1025 + "]" * 1025, "[" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000):
        with pytest.raises(fjson.JSONDecodeError):
            fjson.loads(text)


def test_duplicates_and_shared_keys() -> None:
    assert fjson.loads('{"a": 1, "b": 2, "a": 3}') == {"a": 3, "b": 2}
    first, second = fjson.loads('[{"identifier": 1}, {"identifier": 2}]')
    assert next(iter(first)) is next(iter(second))
    # More keys than are kept, twice.
    keys = [f"key {number}" for number in range(5000)] + ["x" * length for length in range(200)]
    text = json.dumps([dict.fromkeys(keys), dict.fromkeys(reversed(keys))])
    assert same(fjson.loads(text), json.loads(text))


@pytest.mark.parametrize(
    ("text", "position", "pointer"),
    [
        ('["é", 1 2]', 8, ""),
        ('{"東京": [1,\n "😀", ]}', 17, "/東京"),
        ("[1, 2", 5, ""),
        ('{"a" 1}', 5, "/a"),
        ("nul", 3, ""),
        ("[1e]", 3, "/0"),
    ],
)
def test_places(text: str, position: int, pointer: str) -> None:
    for form in (text, text.encode()):
        with pytest.raises(fjson.JSONDecodeError) as raised:
            fjson.loads(form)
        error = raised.value
        expected = json.JSONDecodeError("", text, position)
        assert (error.pos, error.lineno, error.colno) == (position, expected.lineno, expected.colno)
        assert (error.doc, error.record, error.filename) == (text, None, None)
        assert error.pointer in (pointer, None)
        assert isinstance(error, json.JSONDecodeError) and isinstance(error, ValueError)
        restored = pickle.loads(pickle.dumps(error))
        assert (str(restored), restored.pointer, restored.help) == (str(error), error.pointer, error.help)


def test_invalid_utf8_and_types() -> None:
    with pytest.raises(fjson.JSONDecodeError) as raised:
        fjson.loads('["é'.encode() + b'\xff"]')
    assert raised.value.pos == 3
    wrong: list[Any] = [1, None, [], "\ud800", memoryview(b"[1, 2]")[::2]]
    for value in wrong:
        with pytest.raises(fjson.JSONDecodeError):
            fjson.loads(value)


def test_suite(corpus: pathlib.Path) -> None:
    """JSONTestSuite: accepted files have the values of ``json``, rejected ones are errors."""
    count = 0
    for path in sorted((corpus / "json-test-suite/test_parsing").glob("*.json")):
        data = path.read_bytes()
        if path.name.startswith("y_"):
            assert same(fjson.loads(data), json.loads(data)), path
        elif path.name.startswith("n_"):
            with pytest.raises(fjson.JSONDecodeError):
                fjson.loads(data)
        else:
            try:
                fjson.loads(data)
            except fjson.JSONDecodeError:
                pass
        count += 1
    assert count > 300


BAD: list[Any] = [b"[1,", b'{"a":[1,"x",{"b":"\\ud800"}]}', b'[1,2,{"k":[1e400]}]', b"[" * 2000, b'["\xff"]', 7, "\ud800"]
BAD += ["[" + "1" * 5000 + "]", '{"a": {"b": [1, 2, {"c": "\\udc00"}]}}', '{"\\ud800": 1}']


def ignore(call: Callable[[], object]) -> None:
    try:
        call()
    except (ValueError, TypeError):
        pass


@pytest.mark.parametrize("text", BAD)
def test_errors_leak_nothing(text: Any, leaks: Callable[[Callable[[], object]], int]) -> None:
    assert leaks(lambda: ignore(lambda: fjson.loads(text))) < 500


def test_values_leak_nothing(leaks: Callable[[Callable[[], object]], int]) -> None:
    text = '{"a": [1, 1.5, "é", "東", null, true, {"k": {}}, []], "n": 123456789012345678901}'
    assert leaks(lambda: fjson.loads(text)) < 500


def test_reentrance() -> None:
    """A finalizer that the collector runs may read, too."""
    import gc

    class Cycle:
        def __init__(self) -> None:
            self.self = self

        def __del__(self) -> None:
            assert fjson.loads(b'{"id":[1,{"x":2}]}') == {"id": [1, {"x": 2}]}

    text = json.dumps([{"id": number, "x": [str(number)]} for number in range(500)])
    threshold = gc.get_threshold()
    gc.set_threshold(20)
    try:
        for _ in range(50):
            for _ in range(5):
                Cycle()
            assert fjson.loads(text)[499] == {"id": 499, "x": ["499"]}
            assert gc.isenabled()
    finally:
        gc.set_threshold(*threshold)


def test_threads() -> None:
    texts = [json.dumps([{f"k{number}": [number, "é" * number]} for number in range(100 + seed)]) for seed in range(4)]
    failures = []

    def run(text: str) -> None:
        expected = json.loads(text)
        for _ in range(50):
            if fjson.loads(text) != expected or json.loads(fjson.dumps(expected)) != expected:
                failures.append(text)

    threads = [threading.Thread(target=run, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
