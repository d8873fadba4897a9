"""Asks pip-audit whether a package that a release needs has a known weakness; `make audit`.

Exit 1 names each. The tools of the tests are in no release and not asked about, nor is pip, which one package names for
its plugins and nothing here runs. Without a network, or where the index tells nothing of weaknesses, it says so in a
sentence and passes: a machine without a way out is no weakness.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

from scripts.bill_of_materials import bill

ASK_S: Final = 180


def judged(said: str, needed: Container[str]) -> tuple[bool, str]:
    """Whether it passes, and in words why: of what pip-audit printed as JSON, or of nothing. `needed`: the names of the
    packages that count, in small letters.
    """
    try:
        told: list[dict[str, Any]] = json.loads(said)["dependencies"]
        packages = [one for one in told if one["name"].lower() in needed]
    except (ValueError, KeyError, TypeError):
        return True, "Nothing was audited: the list of known weaknesses cannot be reached from here."
    weak = [
        f"{one['name']} {one['version']}: {found['id']}, mended in {' or '.join(found['fix_versions']) or 'none yet'}"
        for one in packages
        for found in one.get("vulns", ())
    ]
    if weak:
        return False, "\n".join(["These packages have known weaknesses; pin a mended version:", *weak])
    looked_at = sum("vulns" in one for one in packages)
    if not looked_at:
        return True, f"Nothing was audited: the index here tells nothing of weaknesses ({len(packages)} packages)."
    left = len(packages) - looked_at
    return True, f"{looked_at} packages have no known weakness" + (f"; of {left} nothing is told." if left else ".")


def main() -> int:
    tool = Path(sys.executable).with_name("pip-audit")
    command = [str(tool), "--progress-spinner", "off", "--timeout", "10", "--skip-editable", "--format", "json"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=ASK_S, check=False).stdout  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    passes, words = judged(said, {one.name.lower() for one in bill().components} - {"pip"})
    sys.stdout.write(f"{words}\n")
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
