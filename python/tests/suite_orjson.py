"""Runs the tests of orjson with fjson in its place: ``python suite_orjson.py FOLDER``, the unpacked sdist of orjson.

A test that fails must be one of ``DEVIATIONS``, and each of these must fail, so that the list stays true. The sdist lacks the files that
almost half of the tests read. Most of them are files of public suites, and are taken from our corpus. Tests of other files are skipped.
"""

from __future__ import annotations

import lzma
import os
import pathlib
import sys
import types
from collections.abc import Generator

import conftest  # pyright: ignore[reportMissingImports], which looks for it where it is started
import pytest

import fjson

DEVIATIONS = {
    "test_api.py::TestApi::test_dumps_module_str": "the name of the module is fjson",
    "test_api.py::TestApi::test_loads_module_str": "the name of the module is fjson",
    "test_error.py::TestJsonDecodeError::test_empty": "the message about an empty text has other words",
    "test_fragment.py::TestFragment::test_fragment_repr": "the name of the module is fjson",
}

# Folders of the corpus with the files of a folder of orjson's data, files that have another name there, and some that are compressed.
FOLDERS = {
    "json-test-suite/test_parsing": "parsing",
    "json-test-suite/test_transform": "transform",
    "nativejson": ".",
    "nativejson/jsonchecker": "jsonchecker",
    "nativejson/roundtrip": "roundtrip",
}
NAMES = {
    "fail01_EXCLUDE.json": "fail01.json",
    "fail18_EXCLUDE.json": "fail18.json",
    "n_string_unescaped_ctrl_char.json": "n_string_unescaped_crtl_char.json",
}
COMPRESSED = {
    "canada.json",
    "citm_catalog.json",
    "i_structure_500_nested_arrays.json",
    "n_structure_100000_opening_arrays.json",
    "n_structure_open_array_object.json",
    "twitter.json",
}


class Results:
    """The outcomes of all tests."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: set[str] = set()
        self.skipped = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self) -> Generator[None, object, object]:
        try:
            return (yield)
        except FileNotFoundError as error:
            pytest.skip(f"no file {error.filename}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.rpartition("/")[2])
        elif report.when == "call" and report.passed:
            self.passed += 1
        elif report.skipped:
            self.skipped += 1


def stand_in() -> types.ModuleType:
    """Returns a module with the names that orjson has."""
    module = types.ModuleType("orjson")
    names = [name for name in fjson.__all__ if name.startswith("OPT_") and name != "OPT_BIG_INTEGER"]
    for name in (*names, "loads", "dumps", "JSONDecodeError", "JSONEncodeError", "Fragment", "__version__"):
        setattr(module, name, getattr(fjson, name))
    return module


def copy_data(corpus: pathlib.Path, data: pathlib.Path) -> None:
    """Copies the files of the corpus that the tests read to the places where they expect them."""
    for source, name in FOLDERS.items():
        (data / name).mkdir(parents=True, exist_ok=True)
        for file in (corpus / source).glob("*.json"):
            if file.name in COMPRESSED:
                (data / name / f"{file.name}.xz").write_bytes(lzma.compress(file.read_bytes(), preset=0))
            else:
                (data / name / NAMES.get(file.name, file.name)).write_bytes(file.read_bytes())


def main(folder: str) -> int:
    sys.modules["orjson"] = stand_in()
    if corpus := conftest.corpus_folder():
        copy_data(corpus, pathlib.Path(folder) / "data")
    sys.path.insert(0, folder)
    results = Results()
    ignored = ["--ignore", str(pathlib.Path(folder) / "test/test_fake.py")]
    # These repeat others many times, and take longer than all others together. Our tests of memory are in files of their own.
    ignored += [] if os.environ.get("FJSON_THOROUGH") else ["-k", "not repeated and not 0xffff and not large_65536 and not memory"]
    pytest.main(["-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-c", "/dev/null", *ignored, f"{folder}/test"], [results])
    print(f"{results.passed} tests of orjson passed, {len(results.failed)} failed, {results.skipped} skipped")
    for name in sorted(results.failed - DEVIATIONS.keys()):
        print("fails:", name)
    for name in sorted(DEVIATIONS.keys() - results.failed):
        print("listed as a deviation, but passes:", name)
    return int(results.failed != DEVIATIONS.keys())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
