"""Writes the bill of materials of a release (CycloneDX 1.6, JSON); `make sbom`.

What the wheel needs at work, as installed here, with versions, licences and what needs what; and the scripts and the
font that ship with the pages. Nothing is asked of a network.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement

STUDIO: Final = "live-dealer-studio"
VENDORED: Final = Path(__file__).parents[1] / "dealer_ui/static/vendor/VENDOR.md"
_ROW: Final = re.compile(r"^\| `[^`]+` \| `([^`]+)` \| ([0-9][^ |]*) \|", re.MULTILINE)


def needed(found: Distribution) -> Iterator[Distribution]:
    """What a package needs here, directly, without extras."""
    for line in found.requires or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            try:
                yield distribution(wanted.name)
            except PackageNotFoundError:
                continue  # another system's


def component(found: Distribution, kind: ComponentType = ComponentType.LIBRARY) -> Component:
    name, version = found.metadata["Name"], found.version
    said = found.metadata.get("License-Expression") or found.metadata.get("License") or ""
    licences = [LicenseFactory().make_from_string(said)] if said and "\n" not in said else []
    return Component(
        name=name, version=version, type=kind, licenses=licences, bom_ref=f"{name}=={version}",
        purl=PackageURL("pypi", None, name.lower(), version),
    )  # fmt: skip


def vendored(text: str) -> Iterator[Component]:
    """The rows `| folder | package | version |` of the page that lists them."""
    for name, version in _ROW.findall(text):
        scope, _, bare = name.rpartition("/")
        yield Component(
            name=bare, group=scope or None, version=version, type=ComponentType.LIBRARY,
            bom_ref=f"npm {name}@{version}", purl=PackageURL("npm", scope or None, bare, version),
        )  # fmt: skip


def bill() -> Bom:
    bom, made = Bom(), {}
    root = distribution(STUDIO)
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if (key := one.metadata["Name"].lower()) not in made:
            made[key] = component(one, ComponentType.APPLICATION if one is root else ComponentType.LIBRARY)
            waiting += needed(one)
    bom.metadata.component = made[STUDIO]
    shipped = list(vendored(VENDORED.read_text()))
    for key, one in made.items():
        if key != STUDIO:
            bom.components.add(one)
    for one in shipped:
        bom.components.add(one)
    for key, one in made.items():
        wants = {made[needs.metadata["Name"].lower()] for needs in needed(distribution(key))}
        bom.register_dependency(one, wants | set(shipped) if key == STUDIO else wants)
    return bom


def main() -> int:
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    bom = bill()
    target.write_text(JsonV1Dot6(bom).output_as_string(indent=1) + "\n")
    sys.stdout.write(f"{target}: {len(bom.components)} components.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
