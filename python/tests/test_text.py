"""Functions and classes for text, files and records."""

from __future__ import annotations

import bz2
import errno
import gc
import gzip
import io
import json
import lzma
import os
import pathlib
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import fjson

SHOP = '{"books": [{"title": "Emma", "price": 8.9}, {"title": "Ulysses", "price": 12}], "é": [1]}'


class Chunks(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self, size: int = -1, /) -> bytes:
        part, self.data = self.data[:7], self.data[7:]
        return part


def sources(text: str, folder: pathlib.Path) -> list[Any]:
    path = folder / "data.json"
    path.write_bytes(text.encode())
    compressed = folder / "data"
    compressed.write_bytes(bz2.compress(text.encode()))
    plain = [text, text.encode(), bytearray(text.encode()), path, Chunks(text.encode()), io.StringIO(text)]
    return [*plain, gzip.compress(text.encode()), compressed, Chunks(lzma.compress(text.encode()))]


def test_names_of_files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("log.jsonl", "true", "7"):
        pathlib.Path(name).write_text("{}\n")
    for call in (fjson.lines, fjson.columns, fjson.Document, fjson.minify, lambda name: fjson.query("$", name)):
        with pytest.raises(fjson.JSONDecodeError, match="found the name of a file, expected JSON text") as caught:
            call("log.jsonl")
        assert caught.value.help == 'pass pathlib.Path("log.jsonl")'
    with pytest.raises(fjson.JSONDecodeError, match="found `other.jsonl`"):
        fjson.minify("other.jsonl")
    assert [fjson.minify(text) for text in ("true", "7")] == [b"true", b"7"]


def test_every_source(tmp_path: pathlib.Path) -> None:
    for index in range(9):
        source: Callable[[], Any] = lambda: sources(SHOP, tmp_path)[index]
        fjson.validate(source())
        assert fjson.minify(source()) == json.dumps(json.loads(SHOP), ensure_ascii=False, separators=(",", ":")).encode()
        assert json.loads(fjson.pretty(source())) == json.loads(SHOP)
        assert json.loads(fjson.canonical(source())) == json.loads(SHOP)
        assert fjson.query("$.books[*].price", source()) == [8.9, 12]
        assert fjson.Document(source())["é"].to_python() == [1]
        assert list(fjson.lines(source())) == [json.loads(SHOP)]
    assert fjson.load(tmp_path / "data.json") == fjson.load(str(tmp_path / "data.json")) == json.loads(SHOP)
    with (tmp_path / "data.json").open("rb") as file:
        assert fjson.load(file) == json.loads(SHOP)


def test_wrong_sources(tmp_path: pathlib.Path) -> None:
    for call in (fjson.validate, fjson.minify, fjson.Document, fjson.lines, fjson.load):
        with pytest.raises(FileNotFoundError) as raised:
            call(tmp_path / "missing")
        assert raised.value.filename == str(tmp_path / "missing")
        with pytest.raises(IsADirectoryError) as raised_too:
            call(tmp_path)
        assert (raised_too.value.errno, raised_too.value.filename) == (errno.EISDIR, str(tmp_path))
        with pytest.raises(TypeError):
            call(7)  # type: ignore[arg-type]

    class Failing:
        def read(self, size: int) -> bytes:
            raise KeyError("own")

    for call in (fjson.validate, fjson.minify, fjson.Document, fjson.load, lambda it: next(fjson.lines(it))):
        with pytest.raises(KeyError):
            call(Failing())


def test_errors_of_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"a":\n [1,]}')
    for call in (fjson.validate, fjson.load, fjson.Document):
        with pytest.raises(fjson.JSONDecodeError) as raised:
            call(path)
        error = raised.value
        assert (error.filename, error.lineno, error.colno, error.pointer) == (str(path), 2, 5, "/a")
    with pytest.raises(fjson.JSONDecodeError, match="bad.json"):
        fjson.minify(path)


def test_compressed_data(tmp_path: pathlib.Path) -> None:
    data = gzip.compress(b'[1, "' + b"x" * 100_000 + b'",]')
    path = tmp_path / "data.gz"
    path.write_bytes(data)
    calls: list[Callable[[Any], object]] = [fjson.validate, fjson.Document, lambda it: list(fjson.lines(it))]
    for call in calls:
        for source in (data, path):
            with pytest.raises(fjson.JSONDecodeError) as raised:
                call(source)
            assert raised.value.pos == 100_007
        with pytest.raises(OSError, match="gzip"):
            call(data[:50])
    path.write_bytes(data[:50])
    with pytest.raises(OSError, match="data.gz.*gzip"):
        fjson.load(path)


def test_validate() -> None:
    fjson.validate("[1]")
    fjson.validate("1\n[2]\n", lines=True)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("1 2", {}),
        ("1\n[2\n", {"lines": True}),
        ('{"a":1,"a":2}', {"unique_keys": True}),
        ("[1e400]", {"ijson": True}),
    ]
    for text, arguments in wrong:
        with pytest.raises(fjson.JSONDecodeError):
            fjson.validate(text, **arguments)


def test_rewriting() -> None:
    assert fjson.minify("1\n[ 2 ]\n", lines=True) == b"1\n[2]\n"
    assert fjson.minify('{"b": 1, "a": 2}', sort_keys=True) == b'{"a":2,"b":1}'
    assert fjson.pretty('{"b":[1]}', indent=1) == b'{\n "b": [\n  1\n ]\n}\n'
    assert fjson.pretty('{"b":[1]}', indent="\t", width=80) == b'{"b": [1]}\n'
    assert fjson.pretty('{"b":1,"a":2}', sort_keys=True, indent=0).index(b"a") == 3
    assert fjson.canonical('{"b": 1e2, "a": "\\u0041"}') == b'{"a":"A","b":100}'
    for indent in ("x", -1, 1000):
        with pytest.raises(ValueError):
            fjson.pretty("[]", indent=indent)


def test_query() -> None:
    query = fjson.Query("$.books[?@.price < 10].title")
    assert (query.all(SHOP), query.count(SHOP), query.first(SHOP)) == (["Emma"], 1, "Emma")
    assert query.paths(SHOP) == ["$['books'][0]['title']"]
    assert fjson.Query("$.nothing").first(SHOP, default=7) == 7
    assert fjson.query("/books/1/title", SHOP) == ["Ulysses"]
    assert (query.expression, repr(query)) == ("$.books[?@.price < 10].title", "fjson.Query('$.books[?@.price < 10].title')")
    with pytest.raises(fjson.QueryError) as raised:
        fjson.Query("$.books[?@.title = 'Emma']")
    assert raised.value.suggestion == "$.books[?@.title == 'Emma']" and raised.value.offset == 17
    # The text is checked to its end, and a place in what was selected is one in the text.
    with pytest.raises(fjson.JSONDecodeError):
        fjson.query("$[0]", "[1, 2")
    with pytest.raises(fjson.JSONDecodeError) as place:
        fjson.query("$[*].a", '[{"a": 1}, {"é": 0, "a": [1e400]}]')
    assert place.value.pos == 26


def test_jq() -> None:
    assert fjson.jq(".books[] | .title", SHOP) == ["Emma", "Ulysses"]
    assert fjson.jq(". + 1", "1 2\n3") == [2, 3, 4]
    assert fjson.jq("$a, $b.c", "null", variables={"a": 1.5, "b": {"c": "é"}}) == [1.5, "é"]
    assert fjson.jq("1, halt, 2", "null") == [1]
    with pytest.raises(fjson.QueryError) as invalid:
        fjson.jq(".a[", "{}")
    assert invalid.value.offset == 2
    for program in ('error("x")', ".a.b", "halt_error"):
        with pytest.raises(fjson.JqError):
            fjson.jq(program, '{"a": 5}')
    with pytest.raises(fjson.JSONDecodeError) as raised:
        fjson.jq(".", '{"a": [1, 2}')
    assert raised.value.pos == 11
    with pytest.raises(fjson.JSONEncodeError):
        fjson.jq("$a", "1", variables={"a": {1, 2}})


def test_edit(tmp_path: pathlib.Path) -> None:
    text = '{\n  "a": 1.0,\n  "list": [1, 2],\n  "old": {"x": "\\u0041"}\n}\n'
    edits: list[tuple[Any, ...]] = [("test", "/a", 1), ("set", "/a", {"é": [1]}), ("append", "/list", 3)]
    edits += [("insert", "/list/0", fjson.Fragment("1e2")), ("rename", "/old", "new"), ("copy", "/list/1", "/b"), ("delete", "$.list[2]")]
    expected = {"a": {"é": [1]}, "list": [100.0, 1, 3], "new": {"x": "A"}, "b": 1}
    for source in sources(text, tmp_path):
        edited = fjson.edit(source, edits)
        assert json.loads(edited) == expected and b'"\\u0041"' in edited and b"1e2" in edited
    assert fjson.edit("[1, 2]", [("patch", [{"op": "remove", "path": "/0"}])]) == b"[2]"
    assert json.loads(fjson.edit('{"a": 1, "b": 2}', [("merge", {"a": None, "c": 2**70})])) == {"b": 2, "c": 2**70}
    assert fjson.edit('{"a": 1}\n{"a": 2}\n', [("set", "/a", 0)], lines=True) == b'{"a": 0}\n{"a": 0}\n'
    assert json.loads(fjson.edit("{}", [("set", "/a/b", 1), ("delete", "/c")], parents=True, missing_ok=True)) == {"a": {"b": 1}}
    assert fjson.edit("[1 ]", []) == b"[1 ]"
    for wrong in ([("set", "/x/y", 1)], [("delete", "/x")], [("test", "/a", 2)], [("set", "a", 1)], [("patch", [{"op": "x"}])]):
        with pytest.raises(fjson.EditError):
            fjson.edit('{"a": 1}', wrong)
    for unknown in ([("sett", "/a", 1)], [("set", "/a")], [()]):
        with pytest.raises(ValueError):
            fjson.edit('{"a": 1}', unknown)
    with pytest.raises(fjson.JSONDecodeError):
        fjson.edit('{"a": 1', [("set", "/a", 2)])


def test_document() -> None:
    document = fjson.Document(SHOP)
    books = document["books"]
    assert (document.kind, books.kind, len(document), len(books)) == ("object", "array", 2, 2)
    assert document.keys() == list(document) == ["books", "é"]
    assert [book["title"] for book in books] == ["Emma", "Ulysses"]
    assert (books[-1]["price"], books[0:1][0]["title"], bool(books), bool(fjson.Document("[]"))) == (12, "Emma", True, False)
    assert ("books" in document, "x" in document, 1 in document["é"]) == (True, False, True)
    assert document.get("x", 3) == 3 and document.values()[1].to_python() == [1]
    assert dict(document.items())["é"] == document["é"] == fjson.Document("[1.0]")
    assert hash(document["é"]) == hash(fjson.Document("[1.0]")) and document != 1
    assert document.pointer("/books/0/price") == 8.9 and document.pointer("/x", default=None) is None
    assert document.query("$..title") == document.query(fjson.Query("$..title")) == ["Emma", "Ulysses"]
    assert document["é"].raw == b"[1]" and repr(document["é"]) == "<fjson.Document [1]>"
    assert fjson.Document("7").to_python() == 7
    wrong: list[tuple[Any, Any, type[Exception]]] = [(document, "x", KeyError), (document, 0, TypeError)]
    wrong += [(books, 2, IndexError), (books, -3, IndexError), (books, "x", TypeError)]
    for container, key, error in wrong:
        with pytest.raises(error):
            container[key]
    with pytest.raises(KeyError):
        document.pointer("/x")
    repeated = fjson.Document('{"a": 1, "b": 2, "a": [3]}')
    assert repeated["a"].to_python() == [3] and repeated.keys() == ["a", "b"] and len(repeated) == 2
    with pytest.raises(fjson.JSONDecodeError):
        fjson.Document('{"a": "\\ud800"}')["a"]


def test_document_outlives_its_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(["x" * 100] * 10_000))
    document = fjson.Document(path)
    path.write_text("")
    assert document[9999] == "x" * 100


def log(count: int) -> str:
    return "".join(f'{{"id": {number}, "msg": "é{number}"}}\n' for number in range(count))


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_lines(threads: int, tmp_path: pathlib.Path) -> None:
    text = log(20_000)
    expected = [json.loads(line) for line in text.splitlines()]
    for source in sources(text, tmp_path)[:4]:
        assert list(fjson.lines(source, threads=threads)) == expected
        assert list(fjson.lines(source, query="$.id", threads=threads)) == list(range(20_000))


def test_bad_lines(tmp_path: pathlib.Path) -> None:
    text = log(5000).replace('"id": 7,', '"id": ,').replace('"id": 4000,', '"id": 1e400,')
    path = tmp_path / "log.ndjson"
    path.write_text(text)
    for source in (text, path, Chunks(text.encode())):
        records = fjson.lines(source)
        assert [next(records)["id"] for _ in range(7)] == list(range(7))
        with pytest.raises(fjson.JSONDecodeError) as raised:
            next(records)
        assert (raised.value.record, raised.value.colno, raised.value.doc) == (8, 8, '{"id": , "msg": "é7"}')
        assert str(raised.value).endswith(": line 1 column 8 (char 7) of record 8")
        with pytest.raises(StopIteration):
            next(records)
        records = fjson.lines(source if not isinstance(source, Chunks) else text, skip_bad=True)
        assert [record["id"] for record in records] == [number for number in range(5000) if number not in (7, 4000)]
        assert records.skipped == 2
    with pytest.raises(fjson.JSONDecodeError) as raised:
        list(fjson.lines(text.replace('"id": ,', '"id": 7,')))
    assert (raised.value.record, raised.value.pos) == (4001, 7)
    found = list(fjson.lines(text.replace("1e400", "4000"), query="$.id", skip_bad=True))
    assert found == [number for number in range(5000) if number != 7]


def test_lines_are_lazy(tmp_path: pathlib.Path) -> None:
    """An iterator that is dropped ends the reading, and one that is not used does not read ahead without a bound."""

    class Endless:
        count = 0

        def read(self, size: int) -> bytes:
            self.count += 1
            return b'{"a": [1, 2, 3]}\n' * 1000

    endless = Endless()
    records = fjson.lines(endless)
    assert next(records) == {"a": [1, 2, 3]}
    del records
    gc.collect()
    assert ended(endless) < 1000

    # The same if nothing is found that the thread could pass on.
    endless = Endless()
    records = fjson.lines(endless, query="$.b")
    batches = iter(fjson.columns(endless, {"a": "$.a"}, types={"a": "json"}, batch_size=1 << 60))
    del records, batches
    gc.collect()
    ended(endless)


def ended(reader: Any) -> int:
    """Waits until an object is no longer read, and returns how often it was."""
    before = -1
    for _ in range(200):
        if reader.count == before:
            break
        before = reader.count
        threading.Event().wait(0.05)
    assert reader.count == before
    return before


READER = """
import fjson, time

class Slow:
    def read(self, size):
        time.sleep(0.001)
        return b'{"a": 1}\\n' * 1000

"""


@pytest.mark.parametrize(
    "use",
    [
        "records = fjson.lines(Slow()); next(records)",
        "batches = iter(fjson.columns(Slow(), {'a': '$.a'}, types={'a': 'int64'})); next(batches)",
        "records = fjson.lines(Slow(), query='$.b')",
    ],
)
def test_the_interpreter_ends_while_threads_read(use: str) -> None:
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", READER + use], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")


def test_what_is_no_end_of_a_file() -> None:
    class Pieces:
        def __init__(self, *pieces: Any) -> None:
            self.pieces = iter(pieces)

        def read(self, size: int) -> Any:
            return next(self.pieces)

    line = b'{"a": 1}\n'
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(fjson.lines(Pieces(line)))
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(fjson.columns(Pieces(line), {"a": "$.a"}, types={"a": "int64"}))
    with pytest.raises(RuntimeError, match="StopIteration"):
        fjson.load(Pieces(b"[1"))
    with pytest.raises(BlockingIOError):
        list(fjson.lines(Pieces(line, None, line, b"")))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_other_threads_run_while_a_named_pipe_is_opened(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Timer(0.2, lambda: path.write_bytes(b"[1]"))
    writer.start()
    assert fjson.load(path) == [1]
    writer.join()


def test_subinterpreters_are_refused() -> None:
    interpreters = pytest.importorskip("_xxsubinterpreters")
    interpreter = interpreters.create()
    try:
        with pytest.raises(interpreters.RunFailedError, match="subinterpreters"):
            interpreters.run_string(interpreter, "import fjson")
    finally:
        interpreters.destroy(interpreter)


def test_the_last_of_equal_keys_counts() -> None:
    document = fjson.Document('{"a": 1, "o": {"x": 1}, "a": 2, "o": {"y/": [3, 4]}}')
    assert document["a"] == document.pointer("/a") == document.get("a") == 2
    assert document.pointer("/o/y~1/1") == 4
    assert document.pointer("") == document
    for missing in ("/o/x", "/o/y~2", "/a/b", "/o/y~1/2", "a"):
        assert document.pointer(missing, default=None) is None


def test_leaks(leaks: Callable[[Callable[[], object]], int]) -> None:
    assert leaks(lambda: fjson.query("$.books[*]", SHOP)) < 500
    assert leaks(lambda: [book["title"] for book in fjson.Document(SHOP)["books"]]) < 500
    assert leaks(lambda: fjson.Document(SHOP).items()) < 500

    def bad() -> None:
        for call in (fjson.validate, fjson.minify, fjson.Document):
            try:
                call("[1,")
            except fjson.JSONDecodeError:
                pass

    assert leaks(bad) < 500


def test_lines_leak_nothing() -> None:
    import sys

    def run() -> None:
        assert sum(1 for _ in fjson.lines(log(50), query="$.id")) == 50
        assert sum(1 for _ in fjson.lines(log(50))) == 50

    for _ in range(20):
        run()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(100):
        run()
    gc.collect()
    assert sys.getallocatedblocks() - before < 200


def test_examples_of_the_documentation() -> None:
    """The examples of all docstrings, of the README and of the guide."""
    import doctest

    names = {"fjson": fjson}
    runner = doctest.DocTestRunner()
    tried = 0
    objects: dict[str, Any] = {name: getattr(fjson, name) for name in fjson.__all__}
    for name, value in objects.items():
        parts = [(name, value)]
        if isinstance(value, type):
            parts += [(f"{name}.{key}", member) for key, member in vars(value).items() if not key.startswith("_")]
        for part, member in parts:
            text = getattr(member, "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                runner.run(doctest.DocTestParser().get_doctest(text, dict(names), part, None, None))
                tried += 1
    for document in ("README.md", "../docs/python.md"):
        path = pathlib.Path(__file__).parents[1] / document
        runner.run(doctest.DocTestParser().get_doctest(path.read_text(), dict(names), document, str(path), 0))
    assert tried > 15 and runner.summarize().failed == 0
