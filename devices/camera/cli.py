"""`studio devices read-cards`: what the reader sees in picture files."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click
import cv2

from devices.camera.face.explanation import MEANINGS, ExplainingEye
from devices.camera.face.reader import CardReader
from devices.camera.outline.free_picture import FoundCard, read_free_picture
from devices.camera.outline.line_search import PATIENT
from devices.camera.picture.frame import decoded
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.view.explained_picture import explained_picture

_PIXELS_MAX = 60_000_000
_DRAWN = (".png", ".jpg", ".jpeg")


@click.command("read-cards")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture, one a line.")
@click.option(
    "--explain", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Draw one picture into this PNG or JPEG file: every outline, what either half of it said, why it was refused.",
)  # fmt: skip
def read_cards(images: tuple[Path, ...], as_json: bool, explain: Path | None) -> None:
    """Say which cards lie in the pictures, as the camera reader sees them; "?" where it is not sure."""
    reader = CardReader()
    failed = False
    if explain is not None:
        _may_be_drawn(images, explain)
    for image in images:
        picture = _picture(image)
        if isinstance(picture, str):
            failed = True
            click.echo(json.dumps({"image": str(image), "error": picture}) if as_json else f"{image}: {picture}")
        else:
            started_s = time.perf_counter()
            cards = reader.read(picture, PATIENT)
            took_ms = round((time.perf_counter() - started_s) * 1000, 1)
            click.echo(_json(image, took_ms, cards) if as_json else _words(image, took_ms, cards))
            if explain is not None:
                _explain(reader, picture, explain)
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


def _may_be_drawn(images: tuple[Path, ...], file: Path) -> None:
    """Refuse what cannot be drawn, before a picture is read."""
    if len(images) > 1:
        raise click.ClickException("--explain draws one picture into one file: give one picture at a time.")
    if file.suffix.lower() not in _DRAWN:
        raise click.ClickException(f"The file to draw into is to end in {' or '.join(_DRAWN)}: name it so.")
    if file.exists() and images[0].exists() and file.samefile(images[0]):
        raise click.ClickException("--explain would write over the picture itself: name another file.")


def _explain(reader: CardReader, picture: Pixels, file: Path) -> None:
    eye = ExplainingEye(reader)
    read_free_picture(picture, eye, PATIENT)
    packed = cv2.imencode(file.suffix, explained_picture(picture, eye.told))[1]
    try:
        file.write_bytes(packed.tobytes())
    except OSError as broken:
        raise click.ClickException(
            f"{file} cannot be written ({broken.strerror or 'no reason given'}): name a file in a folder that may be."
        ) from None
    click.echo(f"{file}: {len(eye.told)} outlines drawn, with what either half said of each.", err=True)
    for sign, meaning in MEANINGS.items():
        click.echo(f"  {sign}  {meaning}", err=True)


def _picture(image: Path) -> Pixels | str:
    """The picture, or a sentence that says why there is none."""
    try:
        data = image.read_bytes()
    except FileNotFoundError:
        return "There is no such file; check the name."
    except OSError as broken:
        return f"The file cannot be read ({broken.strerror or 'it is not a plain file'}); check its name and rights."
    if not data:
        return "The file is empty; take the picture again."
    picture = decoded(data)
    if picture is None:
        return "The file is not a picture that can be read; give a JPEG, PNG, BMP or WebP file."
    if picture.shape[0] * picture.shape[1] > _PIXELS_MAX or min(picture.shape[:2]) < 16:
        return "The picture is too large or too small to hold cards that can be read; give one of ordinary size."
    return picture


def _json(image: Path, took_ms: float, cards: list[FoundCard]) -> str:
    found = [
        {
            "card": str(card.card) if card.card else None,
            "face": "unknown" if card.face.value == "unsure" else card.face.value,
            "confidence": round(card.confidence, 4),
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad],
        }
        for card in cards
    ]
    return json.dumps({"image": str(image), "ms": took_ms, "cards": found})


def _words(image: Path, took_ms: float, cards: list[FoundCard]) -> str:
    words = [
        card.card.sign if card.card else "face down" if card.face.value == "down" else "?"
        for card in _left_to_right(cards)
    ]
    return f"{image}: {', '.join(words) or 'no card'} ({took_ms:.0f} ms)"


def _left_to_right(cards: list[FoundCard]) -> list[FoundCard]:
    return sorted(cards, key=lambda card: float(card.quad[:, 0].mean()))
