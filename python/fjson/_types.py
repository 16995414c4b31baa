"""The classes of exceptions and of ready text, which the compiled part uses, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class JSONDecodeError(json.JSONDecodeError):
    """Text is not valid JSON, or a value of it has no form in Python.

    It has the attributes of ``json.JSONDecodeError``: ``msg``, ``doc``, ``pos``, ``lineno`` and ``colno``, which count characters.

    >>> import fjson
    >>> try:
    ...     fjson.loads('{"café": [1, 2,]}')
    ... except fjson.JSONDecodeError as error:
    ...     error.msg, error.pos, error.pointer
    ('trailing comma: found `]`, expected a value', 15, '/café')
    """

    #: The JSON Pointer of the innermost value around the place.
    pointer: str | None
    #: A sentence that helps to correct the text.
    help: str | None
    #: The number of the record, from 1, if the text is NDJSON. For ``lines`` and ``columns``, the other attributes are then those of the
    #: record; for other functions, those of the whole text, with an empty ``doc``, and ``pos`` counts bytes.
    record: int | None
    #: The name of the file. ``doc`` is then empty, and ``pos`` counts bytes.
    filename: str | None

    def __init__(
        self,
        msg: str,
        doc: str,
        pos: int,
        *,
        pointer: str | None = None,
        help: str | None = None,
        record: int | None = None,
        filename: str | None = None,
        place: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(msg, doc, pos)
        self.pointer = pointer
        self.help = help
        self.record = record
        self.filename = filename
        if place is not None:
            self.lineno, self.colno = place
            self.args = (f"{msg}: line {self.lineno} column {self.colno} (byte {pos})",)
        if record is not None:
            self.args = (f"{self.args[0]} of record {record}",)
        if filename is not None:
            self.args = (f"{self.args[0]} of {filename}",)

    def __reduce__(self) -> Any:
        values = {name: getattr(self, name) for name in ("pointer", "help", "record", "filename")}
        place = (self.lineno, self.colno) if not self.doc and self.pos else None
        return _restore, (type(self), self.msg, self.doc, self.pos, {**values, "place": place})


def _restore(cls: type[JSONDecodeError], msg: str, doc: str, pos: int, values: dict[str, Any]) -> JSONDecodeError:
    return cls(msg, doc, pos, **values)


class JSONEncodeError(TypeError):
    """An object has no form in JSON, or ``dumps`` was called with wrong arguments."""


class QueryError(ValueError):
    """An expression of JSONPath or a program of jq is not valid."""

    #: What is probably meant, or None.
    suggestion: str | None
    #: The place in the expression, in bytes.
    offset: int | None

    def __init__(self, message: str, offset: int | None = None, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.suggestion = suggestion


class JqError(ValueError):
    """A program of jq ended with an error that it did not catch."""


class EditError(ValueError):
    """An edit cannot be made, for example because its target does not exist."""

    #: The number of the edit, from 0, or None.
    edit: int | None

    def __init__(self, message: str, edit: int | None = None) -> None:
        super().__init__(message)
        self.edit = edit


@dataclass(frozen=True)
class Violation:
    """A value, or a key, that breaks a rule of a JSON Schema."""

    #: What was found, and what was expected.
    message: str
    #: A sentence that says what was probably meant.
    help: str | None
    #: The JSON Pointer of the value. For an unknown or a missing key, that of the object.
    pointer: str
    #: The keyword of the schema, for example ``maximum``.
    keyword: str
    #: The place in the text, in characters, or in the record if there is one.
    pos: int
    lineno: int
    colno: int
    #: The number of the record, from 1, if the text is NDJSON.
    record: int | None
    #: Where the keyword is: the name of the schema, ``#`` and a JSON Pointer.
    schema: str | None
    #: Of ``anyOf`` and ``oneOf``, messages about the alternative that was probably meant.
    causes: list[str]

    def __str__(self) -> str:
        of_record = "" if self.record is None else f" of record {self.record}"
        return f"{self.message}: line {self.lineno} column {self.colno}{of_record}"


class SchemaError(ValueError):
    """A JSON Schema is not valid, or refers to another one that is not found."""

    #: What is wrong with it, each with its place.
    problems: list[str]

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(list(problems))
        self.problems = list(problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


class ValidationError(ValueError):
    """A document does not follow a JSON Schema.

    >>> import fjson
    >>> try:
    ...     fjson.validate('{"port": 99999}', schema=fjson.Schema({"properties": {"port": {"maximum": 65535}}}))
    ... except fjson.ValidationError as error:
    ...     [str(it) for it in error.violations]
    ['found the number 99999, expected at most 65535: line 1 column 10']
    """

    #: The violations of the first document that has any.
    violations: list[Violation]

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(list(violations))
        self.violations = list(violations)

    def __str__(self) -> str:
        return "\n".join(map(str, self.violations))


class Fragment:
    """JSON text that ``dumps`` writes as it is, without checking it.

    >>> import fjson
    >>> fjson.dumps({"a": fjson.Fragment(b"[1, 2]")})
    b'{"a":[1, 2]}'
    """

    __slots__ = ("contents",)

    #: The text.
    contents: bytes | str

    def __init__(self, contents: bytes | str, /) -> None:
        object.__setattr__(self, "contents", contents)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a Fragment cannot be changed")
