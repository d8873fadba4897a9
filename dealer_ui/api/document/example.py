"""How a value of a schema looks: each field as its own example, so that a whole body is one that can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """
    >>> example_of({"type": "object", "properties": {"a": {"type": "integer", "examples": [5]}}, "required": ["a"]}, {})
    {'a': 5}
    """
    match schema:
        case {"examples": [example, *_]}:
            return example
        case {"$ref": str(ref)}:
            return example_of(schemas[ref.rpartition("/")[2]], schemas)
        case {"enum": [first, *_]} | {"const": first} | {"default": first}:
            return first
        case {"anyOf": [first, *_]}:
            return example_of(first, schemas)
        case {"type": "object"}:
            needed = schema.get("required", ())
            fields = schema.get("properties", {}).items()
            return {name: example_of(field, schemas) for name, field in fields if name in needed}
        case {"type": "array"}:
            return [example_of(schema["items"], schemas)]
        case {"type": "boolean"}:
            return False
        case {"type": "integer"}:
            return schema.get("minimum", 0)
    return ""
