"""CPython's own tests of ``json``, with ``loads`` and ``dumps`` of fjson wherever no argument asks for something else."""

from __future__ import annotations

import importlib
import io
import json
import sys
import unittest
from typing import Any

import pytest

import fjson

test_json = pytest.importorskip("test.test_json", reason="this interpreter comes without its tests")

MODULES = ["decode", "default", "dump", "enum", "fail", "float", "indent", "pass1", "pass2", "pass3", "recursion"]
MODULES += ["scanstring", "separators", "unicode"]

NOT_FINITE = "infinite numbers and NaN are null, because JSON has no others"
TOO_LARGE = "a number that is too large for a float is an error"
MESSAGE = "the message, or the place of what is missing, is another one"
DEPTH = "at most 1,024 containers are read, and 254 written, and one that contains itself is too deep"
MARK = "a byte order mark in a str is found in its UTF-8 as well, and has another message"
KEYS = "keys that are not strings need OPT_NON_STR_KEYS"

# Each test that fails, and why.
DEVIATIONS = {
    "test_decode.TestCDecode.test_extra_data": MESSAGE,
    "test_decode.TestCDecode.test_string_with_utf8_bom": MARK,
    "test_enum.TestCEnum.test_dict_keys": KEYS,
    "test_enum.TestCEnum.test_dict_values": NOT_FINITE,
    "test_enum.TestCEnum.test_list": NOT_FINITE,
    "test_enum.TestCEnum.test_weird_floats": NOT_FINITE,
    "test_fail.TestCFail.test_extra_data": MESSAGE,
    "test_fail.TestCFail.test_linecol": MESSAGE,
    "test_fail.TestCFail.test_non_string_keys_dict": MESSAGE,
    "test_fail.TestCFail.test_not_serializable": MESSAGE,
    "test_fail.TestCFail.test_truncated_input": MESSAGE,
    "test_fail.TestCFail.test_unexpected_data": MESSAGE,
    "test_float.TestCFloat.test_allow_nan": NOT_FINITE,
    "test_float.TestCFloat.test_out_of_range": TOO_LARGE,
    "test_recursion.TestCRecursion.test_dictrecursion": DEPTH,
    "test_recursion.TestCRecursion.test_highly_nested_objects_decoding": DEPTH,
    "test_recursion.TestCRecursion.test_highly_nested_objects_encoding": DEPTH,
    "test_recursion.TestCRecursion.test_listrecursion": DEPTH,
    "test_unicode.TestCUnicode.test_bytes_decode": "a byte order mark is not part of JSON, and UTF-16 and UTF-32 are not read",
}

calls = {"loads": 0, "dumps": 0}


def loads(text: Any, **arguments: Any) -> Any:
    if arguments or not isinstance(text, (str, bytes, bytearray)):
        return json.loads(text, **arguments)
    calls["loads"] += 1
    return fjson.loads(text)


def dumps(value: Any, *positional: Any, **arguments: Any) -> str:
    # Only the text without whitespace and with all characters is one that fjson writes.
    if positional or arguments != {"ensure_ascii": False, "separators": (",", ":")}:
        if positional or arguments:
            return json.dumps(value, *positional, **arguments)
        calls["dumps"] += 1
        # What was written, in the form that the tests expect.
        return json.dumps(json.loads(fjson.dumps(value, option=fjson.OPT_BIG_INTEGER)))
    calls["dumps"] += 1
    return fjson.dumps(value, option=fjson.OPT_BIG_INTEGER).decode()


def test_json_of_cpython() -> None:
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    for name in MODULES:
        module = importlib.import_module(f"test.test_json.test_{name}")
        for value in list(vars(module).values()):
            if isinstance(value, type) and issubclass(value, test_json.CTest) and value is not test_json.CTest:
                facade: Any = type(value.__name__, (value,), {"loads": staticmethod(loads), "dumps": staticmethod(dumps)})
                facade.__module__ = value.__module__
                suite.addTests(loader.loadTestsFromTestCase(facade))
    result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
    failed = {case.id().rpartition("test_json.")[2]: trace for case, trace in (*result.failures, *result.errors)}
    assert result.testsRun > 50 and calls["loads"] > 50 and calls["dumps"] > 10
    unexpected = {name: trace.strip().splitlines()[-1] for name, trace in failed.items() if name not in DEVIATIONS}
    assert not unexpected
    if sys.version_info[:2] == (3, 11):
        assert failed.keys() == DEVIATIONS.keys(), "a deviation that is listed passes"
