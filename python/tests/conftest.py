"""What the tests share."""

from __future__ import annotations

import gc
import os
import pathlib
import sys
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def corpus_folder() -> pathlib.Path | None:
    """Returns the folder of the suites, if there is one."""
    folders = (os.environ.get("FJSON_CORPUS", ""), ROOT / "corpus/data", ROOT.parent / "shared/corpus")
    return next((pathlib.Path(folder) for folder in folders if folder and (pathlib.Path(folder) / "json-test-suite").is_dir()), None)


@pytest.fixture(scope="session")
def corpus() -> pathlib.Path:
    """The folder of the suites; tests that need it are skipped where there is none."""
    return corpus_folder() or pytest.skip("no corpus: see corpus/README.md")


@pytest.fixture
def leaks() -> Callable[[Callable[[], object]], int]:
    """Returns by how many blocks the memory of Python grows in a thousand calls, after as many to warm up."""

    def count(call: Callable[[], object]) -> int:
        def many() -> None:
            for _ in range(1000):
                call()

        many()
        gc.collect()
        before = sys.getallocatedblocks()
        many()
        gc.collect()
        return sys.getallocatedblocks() - before

    return count
