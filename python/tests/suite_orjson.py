"""Runs the tests of orjson with fjson in its place: ``python suite_orjson.py FOLDER``, the unpacked sdist of orjson.

A test that fails must be one of ``DEVIATIONS``, and each of these must fail, so that the list stays true.
"""

from __future__ import annotations

import os
import pathlib
import sys
import types

import pytest

import fjson

DEVIATIONS = {
    "test_api.py::TestApi::test_dumps_module_str": "the name of the module is fjson",
    "test_api.py::TestApi::test_loads_module_str": "the name of the module is fjson",
    "test_error.py::TestJsonDecodeError::test_empty": "the message about an empty text has other words",
    "test_fragment.py::TestFragment::test_fragment_repr": "the name of the module is fjson",
}


class Results:
    """The outcomes of all tests."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.rpartition("/")[2])
        elif report.when == "call" and report.passed:
            self.passed += 1


def stand_in() -> types.ModuleType:
    """Returns a module with the names that orjson has."""
    module = types.ModuleType("orjson")
    names = [name for name in fjson.__all__ if name.startswith("OPT_") and name != "OPT_BIG_INTEGER"]
    for name in (*names, "loads", "dumps", "JSONDecodeError", "JSONEncodeError", "Fragment", "__version__"):
        setattr(module, name, getattr(fjson, name))
    return module


def main(folder: str) -> int:
    sys.modules["orjson"] = stand_in()
    sys.path.insert(0, folder)
    results = Results()
    ignored = ["--ignore", str(pathlib.Path(folder) / "test/test_fake.py")]
    # These repeat others many times, and take longer than all others together. Our tests of memory are in files of their own.
    ignored += [] if os.environ.get("FJSON_THOROUGH") else ["-k", "not repeated and not 0xffff and not large_65536 and not memory"]
    pytest.main(["-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-c", "/dev/null", *ignored, f"{folder}/test"], [results])
    print(f"{results.passed} tests of orjson passed, {len(results.failed)} failed")
    for name in sorted(results.failed - DEVIATIONS.keys()):
        print("fails:", name)
    for name in sorted(DEVIATIONS.keys() - results.failed):
        print("listed as a deviation, but passes:", name)
    return int(results.failed != DEVIATIONS.keys())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
