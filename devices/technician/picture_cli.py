"""What a technician types about a camera: `devices calibrate | enrol`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from devices.camera.face.deck import NAMES
from devices.camera.face.enrolment import Enrolment
from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import Calibration, Point, calibrate, calibrate_from_corners
from devices.camera.felt.calibration_file import save
from devices.camera.felt.layout import Layout, layout_for
from devices.camera.picture.frame import whole_of
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import Gone, open_source
from devices.camera.view.fitness import Fitness, fitness
from devices.stop import say_json, until_stopped, wall_ms
from studio.errors import BadInputError, RefusedError

PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
PATIENCE_MS: Final = 10_000
LOOK_EVERY_MS: Final = 400
_COUNT: Final = re.compile(r"[0-9]{1,6}")
_CARD_NAME: Final = re.compile(r"^(10|[2-9TJQKA])([CDHSTcdhs])", re.IGNORECASE)

ZonesOf = Callable[[str], Mapping[str, int]]
"""The zones of a game's felt by its key; whoever knows the games passes it as the context's object."""


@click.command("calibrate")
@click.argument("source")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--game", help="The felt of this game.")
@click.option("--zones", help="The felt, zone by zone: player1=3,banker=3,burn=4.")
@click.option("--corners", help="The felt's corners in pixels, clockwise from the top left: 'x,y x,y x,y x,y'.")
@click.option("--json", "as_json", is_flag=True, help="Say what came of it as one JSON object.")
@click.pass_context
def calibrate_camera(  # noqa: PLR0913 - one parameter an option
    context: click.Context, source: str, file: Path, game: str | None, zones: str | None, corners: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Find the felt in a picture or a camera's view (SOURCE) by its markers or by --corners, and keep it in FILE."""
    try:
        layout = layout_for(_zones(context.obj, game, zones))
        picture = _one_picture(source)
        calibration = _calibration(picture, layout, _corners(corners) if corners else None)
        found = fitness(calibration, picture)
        if found.good:
            calibration = Calibration(layout, calibration.to_px, calibration.frame_px, picture)
        save(calibration, file)
    except (BadInputError, RefusedError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    _tell_calibration(file, calibration, found, as_json)


def _zones(zones_of: ZonesOf | None, game: str | None, zones: str | None) -> Mapping[str, int]:
    if zones:
        pairs = [pair.partition("=") for pair in zones.split(",")]
        if all(name.strip() and _COUNT.fullmatch(count.strip()) for name, _, count in pairs):
            return {name.strip(): int(count) for name, _, count in pairs}
    elif game and zones_of is not None:
        return zones_of(game)
    raise BadInputError("Say whose felt it is: --game KEY, or --zones as in player1=3,banker=3,burn=4.")


def _corners(text: str) -> list[Point]:
    try:
        return [(float(x), float(y)) for x, _, y in (pair.partition(",") for pair in text.split())]
    except ValueError:
        raise BadInputError("Write four corners in pixels, as in '30,20 1250,22 1270,700 12,698'.") from None


def _calibration(picture: Pixels, layout: Layout, corners: Sequence[Point] | None) -> Calibration:
    if corners is not None:
        return calibrate_from_corners(corners, layout, (picture.shape[1], picture.shape[0]))
    found = calibrate(picture, layout)
    if found is None:
        raise RefusedError("markers_hidden", "Not all four markers are seen: uncover them, or give --corners.")
    return found


def _tell_calibration(file: Path, calibration: Calibration, found: Fitness, as_json: bool) -> None:
    least = min(zone.card_height_px for zone in found.zones)
    if as_json:
        say_json({"file": str(file), "frame_px": calibration.frame_px,
              "corners_px": np.round(calibration.corners_px, 1).tolist(), "markers_seen": found.markers_seen,
              "error_px": found.reprojection_px, "card_px": round(least, 1), "warnings": found.warnings})  # fmt: skip
        return
    click.echo(f"Kept in {file}. The smallest card is {least:.0f} px high; markers seen: {found.markers_seen} of 4.")
    for warning in found.warnings:
        click.echo(f"  {warning}")


# --- enrolling a deck --------------------------------------------------------------------------------------


@click.command("enrol")
@click.argument("source")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", default="", help="What the deck is called; the file's name unless given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each card taken, and one at the end.")
def enrol(source: str, file: Path, name: str, as_json: bool) -> None:
    """Show a deck card by card, the back too, to the camera SOURCE or in a folder of pictures; it is kept in FILE.

    A picture called as its card (As.jpg, 10h.png, back.jpg) is taken for it; any other must be read by itself.
    """
    enrolment = Enrolment(CardReader(), name or file.stem)
    folder = Path(source)
    taken = _from_folder(enrolment, folder, as_json) if folder.is_dir() else _from_camera(enrolment, source, as_json)
    try:
        deck = enrolment.finish()
        deck.save(file)
    except RefusedError as error:
        raise click.ClickException(error.sentence) from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    if as_json:
        say_json({"file": str(file), "deck": deck.name, "pictures": taken, "digest": deck.digest})
    else:
        click.echo(f"The deck {deck.name} is enrolled in {file} ({taken} pictures).")


def _from_folder(enrolment: Enrolment, folder: Path, as_json: bool) -> int:
    taken = 0
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        try:
            shown = enrolment.show_picture(np.asarray(picture, dtype=np.uint8), name_in(path.stem))
        except RefusedError as error:
            _tell_shown(path.name, "", error.sentence, enrolment, as_json)
        else:
            taken += 1
            _tell_shown(path.name, shown.name, "", enrolment, as_json)
    return taken


def _from_camera(enrolment: Enrolment, source: str, as_json: bool) -> int:
    """Whatever is read by itself is taken, until none is missing or it is stopped; each card is told once."""
    told: set[str] = set()
    click.echo("Show one card after the other, and the back, alone on a plain cloth. Stop with Ctrl-C.", err=True)
    with until_stopped() as stopped:
        for picture in _pictures(source, stopped.is_set, stopped.wait):
            try:
                shown = enrolment.show_picture(picture)
            except RefusedError:
                continue
            if shown.name in told:
                continue
            told.add(shown.name)
            _tell_shown("", shown.name, "", enrolment, as_json)
            if not enrolment.missing:
                break
    return len(told)


def name_in(stem: str) -> str:
    """The card a picture's name begins with; empty when it names none.

    >>> name_in("10h-2"), name_in("as"), name_in("back"), name_in("IMG_0042")
    ('Th', 'As', 'back', '')
    """
    if stem.lower().startswith("back"):
        return "back"
    found = _CARD_NAME.match(stem)
    name = f"{found[1].upper().replace('10', 'T')}{found[2].lower()}" if found else ""
    return name if name in NAMES else ""


def _tell_shown(file: str, card: str, why: str, enrolment: Enrolment, as_json: bool) -> None:
    left = len(enrolment.missing)
    if as_json:
        say_json({"file": file or None, "card": card or None, "refused": why or None, "missing": left})
    else:
        click.echo(f"{file + ': ' if file else ''}{card or why}  ({left} missing)")


# --- pictures ----------------------------------------------------------------------------------------------


def _one_picture(source: str) -> Pixels:
    """The picture of a file, or the first a camera gives; `BadInputError` when there is none."""
    path = Path(source)
    if path.suffix.lower() in PICTURES:
        if not path.is_file():
            raise BadInputError("There is no such file; check the name.", where=source)
        picture = cv2.imread(source, cv2.IMREAD_COLOR)
        if picture is None:
            raise BadInputError("The file is no picture that can be read; give a JPEG or PNG file.", where=source)
        return np.asarray(picture, dtype=np.uint8)
    with until_stopped() as stopped:
        for found in _pictures(source, stopped.is_set, stopped.wait):
            return found
    raise BadInputError("No picture came; check the camera's cable, power and address.", where=source)


def _pictures(source: str, stopped: Callable[[], bool], wait: Callable[[float], bool]) -> Iterator[Pixels]:
    """What a camera shows, a few times a second; ends when it gives nothing for ten seconds.

    `BadInputError` says why it gave nothing at all, where the source itself says so.
    """
    camera = open_source(source)
    start_ms, looked_ms = wall_ms(), 0
    gone: Gone | None = None
    try:
        while not stopped() and wall_ms() - start_ms < PATIENCE_MS:
            found = camera.grab(wall_ms())
            gone = found if isinstance(found, Gone) else gone
            if found is None or isinstance(found, Gone) or wall_ms() - looked_ms < LOOK_EVERY_MS:
                wait(0.02)
                continue
            if (whole := whole_of(found)) is not None:
                start_ms = looked_ms = wall_ms()
                yield whole
        if gone is not None and not looked_ms and not stopped():
            raise BadInputError(gone.reason, where=source)
    finally:
        camera.close()
