"""Parts of screens that are kept as they were drawn: nobody sees what is old, sealed, or another's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over, events
from fake_floor import BETTING, DEALING, DECLARED, IDLE, NOW_MS, FakeFloor, box, held
from jinja2 import meta, nodes

from dealer_ui.access.sessions import Viewer
from dealer_ui.frame import template
from dealer_ui.frame.screen import Artist, Asked, Screen
from dealer_ui.frame.template import EVERYWHERE, TEMPLATES, Kept, templates
from dealer_ui.pages.dealer.route import SCREEN as DEALER
from dealer_ui.pages.display.route import SCREEN as DISPLAY
from dealer_ui.pages.pit.route import TABLE as PIT
from dealer_ui.words.language import LANGUAGES, Language, Languages
from studio.views.shape import TableView, Words

VIEWS = (IDLE, BETTING, DEALING, held(), DECLARED, held(DECLARED))
SEEN_BY = (
    (DEALER, "dora", "dealer"), (DEALER, "petra", "pit_boss"), (PIT, "petra", "pit_boss"), (PIT, "paul", "pit_boss"),
    (DISPLAY, "", ""),
)  # fmt: skip
FELT = "{% from 'felt.html' import felt %}{{ felt(view, say, marks) }}"


def viewer(id: str, role: str) -> Viewer | None:
    return Viewer(f"token of {id}", f"csrf of {id}", id, id.title(), frozenset({role}), NOW_MS) if id else None


def drawn(floor: FakeFloor, table: str, screen: Screen, who: Viewer | None, language: Language) -> str:
    return Artist().fragment(screen, Asked(floor, table, who, language)).html  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(3))
def test_every_screen_shows_what_it_would_show_drawn_anew(seed: int) -> None:
    """Two tables that move, three languages, people of two rights: after a move any screen may come first."""
    rng, kept = random.Random(seed), Languages()
    floor = FakeFloor(IDLE, replace(IDLE, table="knights2", title="Knights 2", seq=7))
    for _ in range(12):
        table = rng.choice(floor.tables)
        floor.show(replace(rng.choice(VIEWS), table=table, title=f"{table} moved"))
        screens = [(table, *seen, tag) for table in floor.tables for seen in SEEN_BY for tag in LANGUAGES]
        for table, screen, id, role, tag in rng.sample(screens, 12):
            who = viewer(id, role)
            anew = drawn(floor, table, screen, who, Languages().speak(tag))
            assert drawn(floor, table, screen, who, kept.speak(tag)) == anew, (table, screen.name, id, tag)


def test_a_screen_that_reconnects_sees_the_table_as_it_is_by_now() -> None:
    floor = FakeFloor(DEALING, replace(DEALING, table="knights2"))
    visitor = Visitor(app_over(floor), "dora")

    def seen(table: str, language: str) -> str:
        with visitor.client.get(f"/stream/dealer/{table}?language={language}") as stream:
            told: Iterator[bytes] = iter(stream.response)  # type: ignore[arg-type]
            return next(data["html"] for piece in told for name, data in events(piece) if name == "view")

    before = [seen("knights1", language) for language in LANGUAGES]
    full = (box("player1", "Kh", "7d", "2s"), *DEALING.boxes[1:])
    floor.show(altered(DEALING, boxes=full))
    after = [seen("knights1", language) for language in LANGUAGES]
    assert ["2♠" in html for html in (*before, *after)] == [False] * 3 + [True] * 3
    assert "2♠" not in seen("knights2", "en")
    assert len({html.partition("</main>")[0] for html in after}) == len(LANGUAGES)


def test_a_part_is_drawn_once_for_whoever_sees_the_same() -> None:
    floor, language = FakeFloor(DEALING, replace(DEALING, table="knights2")), Languages().speak("en")
    once = templates(language, EVERYWHERE).globals["once_for"]
    assert isinstance(once, Kept)
    drawn(floor, "knights1", DEALER, viewer("dora", "dealer"), language)
    kept = dict(once._drawn)
    assert len(kept) == len(DEALING.boxes)
    drawn(floor, "knights2", PIT, viewer("petra", "pit_boss"), language)
    assert once._drawn == kept
    drawn(floor, "knights1", DISPLAY, None, language)
    assert len(once._drawn) == 2 * len(kept), "the public sees no marks of the eyes"


def test_a_card_that_was_seen_open_is_not_seen_once_it_is_sealed() -> None:
    language = Languages().speak("en")
    felt = templates(language, EVERYWHERE).from_string(FELT)
    [shown, *_] = DEALING.boxes
    covered = replace(shown, places=tuple(replace(place, state="sealed") for place in shown.places))
    for marks in (True, False):
        assert "K♥" in felt.render(view=DEALING, marks=marks)
        sealed = felt.render(view=altered(DEALING, boxes=(covered, *DEALING.boxes[1:])), marks=marks)
        assert "K♥" not in sealed
        assert "7♦" not in sealed
        assert "K♥" in felt.render(view=DEALING, marks=marks)


def test_words_that_differ_only_in_what_fills_them_in_are_told_apart() -> None:
    felt = templates(Languages().speak("en"), EVERYWHERE).from_string(FELT)

    def of(seat: int) -> TableView:
        hand = Words("seats.one", {"n": seat})
        return altered(DEALING, boxes=(replace(DEALING.boxes[0], hand=hand), *DEALING.boxes[1:]))

    one, other = (felt.render(view=of(seat), marks=True) for seat in (7, 9))
    assert one != other


def test_what_is_kept_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "PARTS_KEPT", 10)
    once = Kept()
    told = [once(number, caller=lambda number=number: str(number)) for number in range(35)]  # type: ignore[misc]
    assert told == [str(number) for number in range(35)]
    assert len(once._drawn) <= 10


# --- what templates may read ----------------------------------------------------------------------------

ENVIRONMENT = templates(Languages().speak("en"), EVERYWHERE)
TREES = {
    name: ENVIRONMENT.parse((TEMPLATES / name).read_text())
    for name in ENVIRONMENT.list_templates(extensions=["html"])
}  # fmt: skip


def asked(name: str) -> set[str]:
    """The names that a template, or one it uses, finds only if somebody hands them to it."""
    found = meta.find_undeclared_variables(TREES[name]) - set(ENVIRONMENT.globals)
    return found.union(*(asked(used) for used in meta.find_referenced_templates(TREES[name]) if used))


def imports(tree: nodes.Template) -> list[nodes.Import | nodes.FromImport]:
    return [*tree.find_all(nodes.Import), *tree.find_all(nodes.FromImport)]


def test_a_template_that_is_imported_without_context_needs_none() -> None:
    bare = {one.template.value for tree in TREES.values() for one in imports(tree) if not one.with_context}  # type: ignore[attr-defined]
    assert len(bare) > 20
    assert {name: asked(name) for name in bare if asked(name)} == {}


def test_what_is_drawn_once_reads_only_the_values_it_is_kept_by() -> None:
    found = 0
    for name, tree in TREES.items():
        macros = {one.name for one in tree.find_all(nodes.Macro)} | {
            used if isinstance(used, str) else used[1]
            for one in tree.find_all(nodes.FromImport) for used in one.names
        }  # fmt: skip
        for block in tree.find_all(nodes.CallBlock):
            if isinstance(block.call.node, nodes.Name) and block.call.node.name == "once_for":
                found += 1
                body = nodes.Template(block.body, lineno=block.lineno).set_environment(ENVIRONMENT)
                by = {
                    one.name
                    for given in block.call.args
                    for one in (given, *given.find_all(nodes.Name))
                    if isinstance(one, nodes.Name)
                }
                reads = meta.find_undeclared_variables(body)  # type: ignore[arg-type]
                assert reads - by - macros - set(ENVIRONMENT.globals) == set(), name
                assert not asked(name), name
    assert found
