"""Reads a template as the type checker reads Python: follows each value from the name it is handed under to what is
read of it, through loops, `set`, filters, macros and other templates.

What is not known is `Any`, and anything may be read of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jinja2 import Environment, meta, nodes
from shape_of import Given, attribute, element, fits, is_part, item, many, plain

Scope = dict[str, Any]

SAME: Final = frozenset({"list", "reverse", "sort", "unique", "select", "reject", "default", "safe"})
"""Filters that give what they were given, or some of it."""
NAMED: Final = frozenset({"selectattr", "rejectattr", "map", "sort", "unique", "groupby", "sum", "max", "min"})
"""Filters that read an attribute of each element, by a name in quotes."""


@dataclass(frozen=True, eq=False, repr=False)
class Macro:
    node: nodes.Macro | nodes.CallBlock
    scope: Scope
    at: str


@dataclass(frozen=True, eq=False, repr=False)
class Module:
    scope: Scope


@dataclass(repr=False)
class Reading:
    """Everything read so far. `handed` says what a template finds under which names; `known` is found in every one."""

    environment: Environment
    handed: Callable[[str], Mapping[str, Any]]
    known: Mapping[str, Any]
    wrong: list[str] = field(default_factory=list)
    read: set[tuple[str, str]] = field(default_factory=set)
    """Each attribute that was read of a value made of parts: the class and the name."""
    _at: str = ""
    _done: set[tuple[Any, ...]] = field(default_factory=set)
    _modules: dict[tuple[str, ...], Scope] = field(default_factory=dict)
    _asked: dict[str, frozenset[str]] = field(default_factory=dict)
    _trees: dict[str, nodes.Template] = field(default_factory=dict)

    def whole(self, template: str) -> None:
        self._template(template, {**self.known, **self.handed(template)})

    def _template(self, template: str, scope: Scope) -> Scope:
        outside, self._at = self._at, template
        tree = self._tree(template)
        for macro in tree.find_all(nodes.Macro):
            scope[macro.name] = Macro(macro, scope, template)
        self._body(tree.body, scope)
        for macro in tree.find_all(nodes.Macro):
            self._macro(scope[macro.name], (), {})
        self._at = outside
        return scope

    # --- statements -----------------------------------------------------------------------------------------

    def _body(self, body: Sequence[nodes.Node], scope: Scope) -> None:
        for node in body:
            self._statement(node, scope)

    def _statement(self, node: nodes.Node, scope: Scope) -> None:
        match node:
            case nodes.Output():
                for one in node.nodes:
                    self._written(one, scope, "writes out")
            case nodes.For():
                self._loop(node, scope)
            case nodes.If():
                self._truth(node.test, scope)
                for body in (node.body, node.elif_, node.else_):
                    self._body(body, scope)
            case nodes.Assign():
                self._bind(node.target, self._value(node.node, scope), scope)
            case nodes.With():
                inner = dict(scope)
                for target, value in zip(node.targets, node.values, strict=True):
                    self._bind(target, self._value(value, scope), inner)
                self._body(node.body, inner)
            case nodes.Import() | nodes.FromImport():
                self._import(node, scope)
            case nodes.Include():
                self._template(self._name(node.template), dict(scope))
            case nodes.CallBlock():
                self._value(node.call, scope)
                self._body(node.body, dict(scope))
            case nodes.Block() | nodes.AssignBlock() | nodes.FilterBlock() | nodes.Scope():
                self._body(node.body, dict(scope))
            case nodes.Macro() | nodes.Extends():
                pass
            case _:
                raise AssertionError(f"{self._at}: {type(node).__name__} is not followed")

    def _loop(self, node: nodes.For, scope: Scope) -> None:
        inner = dict(scope)
        self._bind(node.target, element(self._written(node.iter, scope, "loops over")), inner)
        if node.test is not None:
            self._truth(node.test, inner)
        self._body(node.body, inner | {"loop": Any})
        self._body(node.else_, scope)

    def _bind(self, target: nodes.Node, shape: Any, scope: Scope) -> None:
        if isinstance(target, nodes.Name):
            if shape is Any and is_part(plain(self.handed("").get(target.name))):
                self._tell(target, f"calls {target.name} what nobody knows")
            scope[target.name] = shape
        elif isinstance(target, nodes.Tuple):
            for at, one in enumerate(target.items):
                self._bind(one, item(shape, at), scope)

    def _import(self, node: nodes.Import | nodes.FromImport, scope: Scope) -> None:
        inner = self._module(self._name(node.template), scope if node.with_context else self.known)
        if isinstance(node, nodes.Import):
            scope[node.target] = Module(inner)
            return
        for name in node.names:
            own, here = name if isinstance(name, tuple) else (name, name)
            scope[here] = inner[own]

    def _module(self, template: str, given: Mapping[str, Any]) -> Scope:
        """What a template that is imported has to give; it is read once for what it finds under its names."""
        asked = {name: given[name] for name in self._asks(template) if name in given}
        key = (template, *(f"{name} {shape!r}" for name, shape in sorted(asked.items(), key=lambda one: one[0])))
        if key not in self._modules:
            self._modules[key] = self._template(template, {**self.known, **asked})
        return self._modules[key]

    def _asks(self, template: str) -> frozenset[str]:
        """The names that a template, or one it uses, finds only if somebody hands them to it."""
        if template not in self._asked:
            tree = self._tree(template)
            used = [self._asks(one) for one in meta.find_referenced_templates(tree) if one is not None]
            self._asked[template] = frozenset(meta.find_undeclared_variables(tree)).union(*used)
        return self._asked[template]

    def _tree(self, template: str) -> nodes.Template:
        if template not in self._trees:
            source = self.environment.loader.get_source(self.environment, template)[0]  # type: ignore[union-attr]
            self._trees[template] = self.environment.parse(source)
        return self._trees[template]

    def _name(self, node: nodes.Expr) -> str:
        assert isinstance(node, nodes.Const), f"{self._at} chooses a template by what is in it"
        return str(node.value)

    # --- values ---------------------------------------------------------------------------------------------

    def _written(self, node: nodes.Node, scope: Scope, how: str) -> Any:
        """The value of what is written out, joined or looped over, and so may not be made of parts."""
        shape = plain(self._value(node, scope))
        if is_part(shape):
            self._tell(node, f"{how} a {shape.__name__}")
        return shape

    def _truth(self, node: nodes.Node, scope: Scope) -> Any:
        """The value of what is asked whether it is there, and so may not be a part that always is."""
        shape = self._value(node, scope)
        if is_part(shape):
            self._tell(node, f"asks whether a {shape.__name__} is there")
        return shape

    def _tell(self, node: nodes.Node, what: str) -> None:
        line = f"{self._at}:{node.lineno} {what}"
        if line not in self.wrong:
            self.wrong.append(line)

    def _value(self, node: nodes.Node, scope: Scope) -> Any:
        match node:
            case nodes.Name():
                return scope.get(node.name, Any)
            case nodes.Getattr():
                return self._attribute(node, self._value(node.node, scope), node.attr)
            case nodes.Getitem():
                return self._item(node, scope)
            case nodes.Call():
                return self._call(node, scope)
            case nodes.Filter():
                return self._filter(node, scope)
            case nodes.And() | nodes.Or():
                self._truth(node.left, scope)
                self._value(node.right, scope)
                return Any
            case nodes.Not():
                self._truth(node.node, scope)
                return bool
            case nodes.CondExpr():
                self._truth(node.test, scope)
                first = self._value(node.expr1, scope)
                other = self._value(node.expr2, scope) if node.expr2 is not None else None
                return first if first == other or _is_none(node.expr2) else Any
            case nodes.Concat():
                for one in node.nodes:
                    self._written(one, scope, "joins")
                return str
            case nodes.Compare():
                return self._compare(node, scope)
            case nodes.Const():
                return type(node.value)
        for child in node.iter_child_nodes():
            self._value(child, scope)
        return Any

    def _attribute(self, node: nodes.Node, shape: Any, name: str) -> Any:
        if isinstance(shape, Module):
            return shape.scope.get(name, Any)
        shape = plain(shape)
        try:
            found = attribute(shape, name)
        except LookupError as error:
            self._tell(node, str(error))
            return Any
        if is_part(shape):
            self.read.add((shape.__name__, name))
        return found

    def _item(self, node: nodes.Getitem, scope: Scope) -> Any:
        shape = self._value(node.node, scope)
        if isinstance(node.arg, nodes.Slice):
            return shape
        self._value(node.arg, scope)
        return item(shape, node.arg.value if isinstance(node.arg, nodes.Const) else None)

    def _compare(self, node: nodes.Compare, scope: Scope) -> Any:
        for one in (node.expr, *(one.expr for one in node.ops)):
            self._written(one, scope, "compares")
        return bool

    def _filter(self, node: nodes.Filter, scope: Scope) -> Any:
        shape = self._value(node.node, scope) if node.node is not None else Any
        for one in node.args:
            self._value(one, scope)
        name = _attribute_named(node)
        if node.name in NAMED and name is not None:
            of_each = self._attribute(node, element(shape), name)
            if node.name == "map":
                return many(of_each)
        if node.name in ("selectattr", "rejectattr", *SAME):
            return shape
        return element(shape) if node.name in ("first", "last", "max", "min") else Any

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, node: nodes.Call, scope: Scope) -> Any:
        what = self._value(node.node, scope)
        args = [self._value(one, scope) for one in node.args]
        named = {one.key: self._value(one.value, scope) for one in node.kwargs}
        if isinstance(what, Macro):
            return self._macro(what, tuple(args), named)
        if not isinstance(what, Given):
            return Any
        wanted = {**dict(zip(what.takes, args, strict=False)), **named}
        for name, shape in wanted.items():
            if is_part(plain(shape)) and not fits(plain(shape), what.takes.get(name, what.rest)):
                self._tell(node, f"gives a {plain(shape).__name__} as {name}")
        return what.gives

    def _macro(self, macro: Macro, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        names = [one.name for one in macro.node.args]
        given = {**dict.fromkeys(names, Any), **dict(zip(names, args, strict=False)), **named}
        key = (macro, *map(repr, given.values()))
        if key not in self._done:
            self._done.add(key)
            outside, self._at = self._at, macro.at
            self._body(macro.node.body, {**macro.scope, **given, "caller": Given(str)})
            self._at = outside
        return str


def _is_none(node: nodes.Node | None) -> bool:
    return node is None or (isinstance(node, nodes.Const) and not node.value)


def _attribute_named(node: nodes.Filter) -> str | None:
    """The attribute that a filter reads of each element, where it is a name."""
    for one in (*node.args[:1], *(one.value for one in node.kwargs if one.key == "attribute")):
        if isinstance(one, nodes.Const) and isinstance(one.value, str):
            if node.name == "map" and one in node.args:
                return None
            return one.value
    return None


def templates_of(environment: Environment) -> Iterator[str]:
    yield from sorted(environment.list_templates(extensions=["html"]))
