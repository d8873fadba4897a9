"""The house rules, held by tests: who may import whom, and what a thing may be called.

Each import contract is seen to fail once, on a copy of the packages with one wrong file in it.
"""

from __future__ import annotations

import ast
import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from source_tree import tree_of

ROOT = Path(__file__).parent.parent
PACKAGES = ("studio", "devices", "dealer_ui")
SOURCES = tuple(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))

BANNED_NAMES = {"utils", "helpers", "common", "base", "manager", "handler", "impl"}

# --- who may import whom ------------------------------------------------------------------------------

HOUSE = "The house: dealer_ui above devices above studio"
FLOORS = "Inside studio, from the ground up; a file without a floor does not pass"
WINGS = "Inside a table, wing above wing; a file without a wing does not pass"
VIEWS = "Inside the views, wing above wing; a file without a wing does not pass"
PROOF = "Inside proof, rooms that do not know each other; certificates build on returns"
DEVICES = "devices sees only the cards, the errors, the ports and the diagnosis of studio"
CAMERA = "Inside the camera, from the picture up; a file without a room does not pass"
STOREYS = "Inside dealer_ui, floor above floor; a file without a floor does not pass"
INTERFACE = "Inside the interface, wing above wing; a file without a wing does not pass"
PAGES = "No page imports another"
CONSOLES = "In dealer_ui only assembly, rehearsal and cli know the devices"
WALLETS = "Wallets know neither consoles nor tables"
CORE = "The core touches no device, picture or web library"

VIOLATIONS = {
    "a device imports the console": (HOUSE, "devices/wrong.py", "import dealer_ui.cli"),
    "the core imports a device": (HOUSE, "studio/cards/wrong.py", "import devices.link"),
    "a table imports the views above it": (FLOORS, "studio/tables/state/wrong.py", "import studio.views.shape"),
    "a room imports its neighbour": (FLOORS, "studio/rounds/wrong.py", "import studio.decks"),
    "a file has no floor": (FLOORS, "studio/wrong.py", ""),
    "a wing imports the wing above it": (WINGS, "studio/tables/state/wrong.py", "import studio.tables.run.runtime"),
    "a file of a table has no wing": (WINGS, "studio/tables/wrong.py", ""),
    "a hand knows the felt it lies on": (VIEWS, "studio/views/hand/wrong.py", "import studio.views.felt"),
    "a view has no wing": (VIEWS, "studio/views/wrong.py", ""),
    "the audit asks what tells a round": (
        PROOF,
        "studio/proof/audit/wrong_one.py",
        "import studio.proof.telling.event",
    ),
    "a proof has no room": (PROOF, "studio/proof/wrong.py", ""),
    "a device reads the rulebooks": (DEVICES, "devices/wrong.py", "import studio.games"),
    "a picture knows the felt": (CAMERA, "devices/camera/picture/wrong.py", "import devices.camera.felt"),
    "a file of the camera has no room": (CAMERA, "devices/camera/wrong.py", ""),
    "a desk knows a page": (STOREYS, "dealer_ui/desk/wrong.py", "import dealer_ui.pages.pit.route"),
    "a file of the consoles has no floor": (STOREYS, "dealer_ui/wrong.py", ""),
    "an answer's shape knows a request": (
        INTERFACE,
        "dealer_ui/api/shape/wrong.py",
        "import dealer_ui.api.request.body",
    ),
    "a file of the interface has no wing": (INTERFACE, "dealer_ui/api/wrong.py", ""),
    "a page imports another": (PAGES, "dealer_ui/pages/dealer/wrong.py", "import dealer_ui.pages.pit.route"),
    "a page opens a device": (CONSOLES, "dealer_ui/pages/dealer/wrong.py", "import devices.link"),
    "a wallet reads a table": (WALLETS, "dealer_ui/wallets/wrong.py", "import studio.tables.state.table"),
    "the core calls an operator": (CORE, "studio/wallets/wrong.py", "import httptools"),
    "the core opens a picture": (CORE, "studio/cards/wrong.py", "import PIL"),
}


def _contracts() -> list[dict[str, Any]]:
    config: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts: list[dict[str, Any]] = config["tool"]["importlinter"]["contracts"]
    return contracts


def _lint_imports(folder: Path) -> str:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def _verdicts(report: str) -> dict[str, str]:
    return dict(re.findall(r"^(.+?) (KEPT|BROKEN)(?: \(.+\))?$", report, re.MULTILINE))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path in SOURCES:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def test_every_import_contract_is_kept() -> None:
    report = _lint_imports(ROOT)
    assert _verdicts(report) == {contract["name"]: "KEPT" for contract in _contracts()}, report


def _named_in(report: str, contract: str) -> str:
    """What the report says of a broken contract."""
    _, _, told = report.partition("Broken contracts")
    parts = re.split(r"^(.+)\n-{3,}$", told, flags=re.MULTILINE)
    return next((said for name, said in itertools.pairwise(parts) if name == contract), "")


@pytest.mark.parametrize("homeless", [False, True], ids=["wrong imports", "files without a place"])
def test_each_contract_breaks_of_what_is_wrong_and_names_it(copy: Path, homeless: bool) -> None:
    """A file without a place hides what else breaks its contract: those are tried by themselves."""
    tried = [(contract, copy / path, line) for contract, path, line in VIOLATIONS.values() if (not line) is homeless]
    for path in {path for _, path, _ in tried}:
        path.write_text("".join(f"{line}\n" for _, at, line in tried if at == path))
    report = _lint_imports(copy)
    for path in {path for _, path, _ in tried}:
        path.unlink()
    for contract, path, _ in tried:
        assert _verdicts(report).get(contract) == "BROKEN", report
        module = ".".join(path.relative_to(copy).with_suffix("").parts)
        assert re.search(rf"\b{re.escape(module)}\b", _named_in(report, contract)), (contract, module, report)


def test_every_import_contract_is_seen_to_fail() -> None:
    assert {contract for contract, _, _ in VIOLATIONS.values()} == {contract["name"] for contract in _contracts()}


# --- what a thing may be called -----------------------------------------------


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_a_file_says_what_it_is_in_a_sentence_of_its_own() -> None:
    said = {path: ast.get_docstring(tree_of(path)) or "" for path in SOURCES if tree_of(path).body}
    assert [_name(path) for path, words in said.items() if not words or words.startswith("The only ")] == []


def test_a_name_says_what_the_thing_is() -> None:
    parts = {path: "_".join(path.relative_to(ROOT).with_suffix("").parts).split("_") for path in SOURCES}
    assert [_name(path) for path in SOURCES if BANNED_NAMES & set(parts[path])] == []


def test_an_exceptions_name_ends_in_error() -> None:
    classes = ((path, node) for path in SOURCES for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef))
    assert [
        f"{_name(path)}: {node.name}"
        for path, node in classes
        if any(ast.unparse(parent).endswith(("Error", "Exception")) for parent in node.bases)
        and not node.name.endswith("Error")
    ] == []


# --- what is written down -------------------------------------------------------------------------------

TEXTS = (".py", ".md", ".toml", ".yaml", ".yml", ".sh", ".html", ".css", ".txt", ".round", ".po", "")
OURS = (*PACKAGES, "bench", "soak", "config", "docs", "scripts", "tests", ".ci")
ELSEWHERE = re.compile(
    r"/(?:home|Users)/\w|/root/|/work/|/tmp/\w|pypi\.org|pythonhosted|registry\.npmjs|deb\.debian\.org"
)


def _texts() -> Iterator[Path]:
    """Ours, and never `.git`, which is a file where a second working tree is checked out."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in TEXTS and path.name != ".git")
    for folder in OURS:
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix in TEXTS)


def test_no_file_speaks_of_one_machine_or_of_a_registrys_address() -> None:
    told = []
    for path in _texts():
        if path != Path(__file__) and (found := ELSEWHERE.search(path.read_text(errors="replace"))):
            told.append(f"{_name(path)}: {found[0]}")
    assert told == []


# --- threads ------------------------------------------------------------------------------------------------


def test_no_type_is_worked_out_where_threads_run() -> None:
    """msgspec 0.22 keeps a half-made description of a type, and dies when two threads make one and the same.

    So a decoder of every type that threads read is made where its module is read. The command line has one thread.
    """
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("studio", "devices", "dealer_ui")
        for path in sorted((ROOT / package).rglob("*.py"))
        if "cli" not in path.relative_to(ROOT).parts
        for line in path.read_text().splitlines()
        if "decode(" in line and "type=" in line
    ]
    assert found == []
