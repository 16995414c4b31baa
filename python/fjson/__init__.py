"""Reads, writes, queries and validates JSON with SIMD.

``loads`` and ``dumps`` are a drop-in for those of orjson. ``Document`` makes objects only when they are asked for, ``query`` and
``Query`` only of what a JSONPath selects, ``jq`` of what a program of jq returns, and ``lines`` of one record of NDJSON after the
other. ``columns`` makes columns of Arrow of records. ``validate``, ``Schema``, ``minify``, ``pretty``, ``canonical`` and ``edit``
work on text without making objects at all.
"""

from fjson._fjson import (
    OPT_APPEND_NEWLINE,
    OPT_BIG_INTEGER,
    OPT_INDENT_2,
    OPT_NAIVE_UTC,
    OPT_NON_STR_KEYS,
    OPT_OMIT_MICROSECONDS,
    OPT_PASSTHROUGH_DATACLASS,
    OPT_PASSTHROUGH_DATETIME,
    OPT_PASSTHROUGH_SUBCLASS,
    OPT_SERIALIZE_DATACLASS,
    OPT_SERIALIZE_NUMPY,
    OPT_SERIALIZE_UUID,
    OPT_SORT_KEYS,
    OPT_STRICT_INTEGER,
    OPT_UTC_Z,
    Batch,
    Batches,
    Columns,
    Document,
    Lines,
    Query,
    Schema,
    __version__,
    canonical,
    columns,
    dumps,
    edit,
    jq,
    lines,
    load,
    loads,
    minify,
    pretty,
    query,
    validate,
)
from fjson._types import (
    EditError,
    Fragment,
    JqError,
    JSONDecodeError,
    JSONEncodeError,
    QueryError,
    SchemaError,
    ValidationError,
    Violation,
)

__all__ = [
    "OPT_APPEND_NEWLINE",
    "OPT_BIG_INTEGER",
    "OPT_INDENT_2",
    "OPT_NAIVE_UTC",
    "OPT_NON_STR_KEYS",
    "OPT_OMIT_MICROSECONDS",
    "OPT_PASSTHROUGH_DATACLASS",
    "OPT_PASSTHROUGH_DATETIME",
    "OPT_PASSTHROUGH_SUBCLASS",
    "OPT_SERIALIZE_DATACLASS",
    "OPT_SERIALIZE_NUMPY",
    "OPT_SERIALIZE_UUID",
    "OPT_SORT_KEYS",
    "OPT_STRICT_INTEGER",
    "OPT_UTC_Z",
    "Batch",
    "Batches",
    "Columns",
    "Document",
    "EditError",
    "Fragment",
    "JSONDecodeError",
    "JSONEncodeError",
    "JqError",
    "Lines",
    "Query",
    "QueryError",
    "Schema",
    "SchemaError",
    "ValidationError",
    "Violation",
    "__version__",
    "canonical",
    "columns",
    "dumps",
    "edit",
    "jq",
    "lines",
    "load",
    "loads",
    "minify",
    "pretty",
    "query",
    "validate",
]


def _set_modules() -> None:
    """Names in messages and in pickled exceptions are those that are imported."""
    for name in __all__:
        value = globals()[name]
        if getattr(value, "__module__", "fjson") != "fjson":
            value.__module__ = "fjson"


_set_modules()
del _set_modules
