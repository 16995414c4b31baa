"""JSON Schema."""

from __future__ import annotations

import gzip
import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import fjson

PORT: dict[str, Any] = {"properties": {"port": {"type": "integer", "maximum": 65535}}, "additionalProperties": False}


def test_violations() -> None:
    schema = fjson.Schema(PORT)
    assert schema.is_valid('{"port": 80}') and not schema.is_valid(b'{"port": 80.5}')
    text = '{\n "é": 1, "port": 99999}'
    for data in (text, text.encode(), fjson.Document(text), gzip.compress(text.encode())):
        found = {violation.pointer: violation for violation in schema.violations(data)}
        assert sorted(found) == ["", "/port"] and not schema.is_valid(data)
        port = found["/port"]
        assert (port.pos, port.lineno, port.colno, port.record, port.keyword) == (19, 2, 18, None, "maximum")
        assert text[port.pos :].startswith("99999") and str(port) == f"{port.message}: line 2 column 18"
        assert port.schema is not None and port.schema.endswith("#/properties/port/maximum")
    assert len(schema.violations(text, limit=1)) == 1
    assert schema.violations('{"port": 1}') == []
    assert fjson.Schema(True).is_valid("[]") and not fjson.Schema(False).is_valid("[]")
    [either] = fjson.Schema({"anyOf": [{"type": "string"}, {"type": "object", "required": ["a", "b"]}]}).violations("{}")
    assert len(either.causes) == 2 and '"a"' in either.causes[0]


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_lines(threads: int, tmp_path: pathlib.Path) -> None:
    lines = [f'{{"port": {number}}}\n' for number in range(5000)]
    lines[700] = '  {"port": "é"}\n'
    lines[4000] = '{"port": -0.5, "x": 1}\n'
    path = tmp_path / "log.ndjson"
    path.write_text("".join(lines), encoding="utf-8")
    schema = fjson.Schema(PORT)
    found = schema.violations(path, lines=True, threads=threads)
    assert [violation.record for violation in found] == [701, 4001, 4001] and found[0].pos == 9
    assert not schema.is_valid(path, lines=True, threads=threads)
    assert [it.record for it in schema.violations(path, lines=True, limit=2, threads=threads)] == [701, 4001]
    with pytest.raises(fjson.ValidationError, match='found the string "é", expected an integer: line 1 column 10 of record 701') as raised:
        fjson.validate(path, lines=True, schema=schema, threads=threads)
    assert [violation.pointer for violation in raised.value.violations] == ["/port"]
    path.write_text("".join(lines[:700]) + '{"port": }\n')
    calls: list[Callable[[], object]] = [
        lambda: schema.violations(path, lines=True, threads=threads),
        lambda: schema.is_valid(path, lines=True, threads=threads),
        lambda: fjson.validate(path, lines=True, schema=schema, threads=threads),
    ]
    for call in calls:
        with pytest.raises(fjson.JSONDecodeError) as wrong:
            call()
        assert wrong.value.lineno == 701 or wrong.value.record == 701
    fjson.validate("".join(lines[:700]), lines=True, schema=schema)


def test_validate() -> None:
    schema = fjson.Schema({"type": "object", "required": ["a"]})
    fjson.validate('{"a": 1}', schema=schema)
    with pytest.raises(fjson.ValidationError, match='"a"'):
        fjson.validate("{}", schema=schema)
    with pytest.raises(fjson.JSONDecodeError, match="duplicate key"):
        fjson.validate('{"a": 1, "a": 2}', unique_keys=True, schema=schema)
    with pytest.raises(fjson.JSONDecodeError):
        fjson.validate("{", schema=schema)
    with pytest.raises(fjson.JSONDecodeError):
        fjson.Schema({"items": {"$ref": "#"}}).is_valid("[" * 2000 + "]" * 2000)
    assert fjson.Schema({"items": {"$ref": "#"}}).is_valid("[" * 900 + "]" * 900)


def test_schemas(tmp_path: pathlib.Path) -> None:
    (tmp_path / "types.json").write_text('{"$id": "https://example.com/types.json", "$defs": {"id": {"type": "integer"}}}')
    path = tmp_path / "schema.json"
    path.write_text('{"properties": {"id": {"$ref": "types.json#/$defs/id"}}}')
    assert not fjson.Schema(path).is_valid('{"id": "x"}')
    by_id = {"$ref": "https://example.com/types.json#/$defs/id"}
    assert fjson.Schema(by_id, folders=[tmp_path]).is_valid("7")
    # Text may be from anywhere, and reads no files.
    for schema in (by_id, {"$ref": path.as_uri()}):
        with pytest.raises(fjson.SchemaError) as raised:
            fjson.Schema(schema)
        assert len(raised.value.problems) == 1
    with pytest.raises(fjson.SchemaError, match=r"schema.json:2:10: .*int"):
        path.write_text('{\n "type": "int"}')
        fjson.Schema(path)
    with pytest.raises(fjson.SchemaError, match="not valid JSON"):
        fjson.Schema("{")
    openapi = {"components": {"Id": {"type": "integer"}}}
    assert not fjson.Schema(json.dumps(openapi), at="/components/Id").is_valid("[]")
    assert fjson.Schema({"format": "date"}, formats=False).is_valid('"x"')
    assert not fjson.Schema({"format": "date"}).is_valid('"x"')
    # `dependencies` and `exclusiveMaximum` depend on the draft.
    assert fjson.Schema({"maximum": 5, "exclusiveMaximum": True}, draft="4").is_valid("5") is False
    with pytest.raises(ValueError, match="draft"):
        fjson.Schema({}, draft="5")
    with pytest.raises(fjson.JSONEncodeError):
        fjson.Schema({"const": {1, 2}})
    with pytest.raises(FileNotFoundError):
        fjson.Schema(tmp_path / "missing")


def test_suite(corpus: pathlib.Path) -> None:
    """The tests of JSON Schema that need no other documents."""
    tried = 0
    for file in sorted((corpus / "json-schema").glob("**/draft2020-12/*.json")):
        for case in json.loads(file.read_bytes()) if "optional" not in file.parts and "remotes" not in file.parts else []:
            if "http://localhost" in json.dumps(case["schema"]):
                continue
            schema = fjson.Schema(case["schema"], formats=False) if isinstance(case["schema"], (dict, bool)) else None
            for test in case["tests"]:
                assert schema is not None
                tried += 1
                text = json.dumps(test["data"])
                assert schema.is_valid(text) == test["valid"], (file.name, test["description"])
                assert (schema.violations(text) == []) == test["valid"]
    assert tried > 1000


def test_leaks(leaks: Callable[[Callable[[], object]], int]) -> None:
    schema = fjson.Schema(PORT)

    def bad() -> None:
        for call in (lambda: fjson.validate('{"x": 1}', schema=schema), lambda: fjson.Schema("{")):
            try:
                call()
            except ValueError:
                pass

    assert leaks(lambda: schema.violations('{"x": 1}')) < 500
    assert leaks(bad) < 500
