"""How good a calibration is: how far off its points are, and how large cards appear in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.face.reader import HEIGHT_PX_MIN
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, Region, Slot
from devices.camera.felt.marker import find_markers
from devices.camera.picture.gate import thumbnail
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.sight import SeenCard, SeenFan, Sight

GOOD_PX_MIN: Final = 110.0
_SLANT_MIN: Final = 0.62
_REPROJECTION_PX_MAX: Final = 4.0


@dataclass(frozen=True, slots=True)
class ZoneFitness:
    """One zone: how large its smallest card appears, how much of its true shape is left, whether it is in the picture.

    `slant` is 1 for a camera straight above, less the lower it hangs.
    """

    zone: str
    card_width_px: float
    card_height_px: float
    slant: float
    inside: bool


@dataclass(frozen=True, slots=True)
class Fitness:
    """How fit a camera's view is for play.

    `reprojection_px`: how far the worst of the printed markers lies from where the calibration expects it; None when no
    marker is seen. `warnings`: sentences for whoever mounts the camera; none when all is well.
    """

    zones: tuple[ZoneFitness, ...]
    reprojection_px: float | None
    markers_seen: int
    warnings: tuple[str, ...]

    @property
    def good(self) -> bool:
        return not self.warnings


def fitness(calibration: Calibration, frame: Pixels | None = None) -> Fitness:
    """Measure a calibration, against a frame of the empty felt where one is given."""
    zones = tuple(_zone(calibration, name, regions) for name, regions in _by_zone(calibration).items())
    seen = find_markers(frame) if frame is not None else {}
    off_px = reprojection_px(calibration, seen)
    warnings = [sentence for zone in zones for sentence in _zone_warnings(zone)]
    if off_px is not None and off_px > _REPROJECTION_PX_MAX:
        warnings.append(
            f"A printed marker lies {off_px:.0f} pixels from where this calibration has it; "
            "click the corners again, or print the markers where they belong."
        )
    if frame is not None:
        warnings += _not_bare(calibration, frame)
    return Fitness(zones, off_px, len(seen), tuple(warnings))


def reprojection_px(calibration: Calibration, markers: dict[int, tuple[float, float]]) -> float | None:
    """How far the worst of these marker centres lies from where the calibration expects it; None when there are no
    markers.
    """
    if not markers:
        return None
    numbers = sorted(markers)
    due = calibration.px(np.array([calibration.layout.markers[number] for number in numbers]))
    there = np.array([markers[number] for number in numbers])
    return float(np.linalg.norm(due - there, axis=1).max())


def _by_zone(calibration: Calibration) -> dict[str, list[Region]]:
    zones: dict[str, list[Region]] = {}
    for region in calibration.layout.regions:
        zones.setdefault(region.zone, []).append(region)
    return zones


def _zone(calibration: Calibration, name: str, regions: Sequence[Region]) -> ZoneFitness:
    places = [slot for region in regions for slot in ([region] if isinstance(region, Slot) else region.slots)]
    sizes = [(calibration.card_width_px(p.x_mm, p.y_mm), calibration.card_height_px(p.x_mm, p.y_mm)) for p in places]
    width, height = min(sizes, key=lambda size: size[1])
    true = CARD_HEIGHT_MM / CARD_WIDTH_MM
    slant = min(min(h / w / true, w / h * true) if w and h else 0.0 for w, h in sizes)
    return ZoneFitness(name, width, height, slant, all(_inside(calibration, region) for region in regions))


def _inside(calibration: Calibration, region: Region) -> bool:
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (region.width_mm / 2, region.height_mm / 2)
    seen: NDArray[np.float64] = calibration.px(half + np.array((region.x_mm, region.y_mm)))
    return bool((seen >= 0).all() and (seen <= np.array(calibration.frame_px) - 1).all())


def _zone_warnings(zone: ZoneFitness) -> Iterator[str]:
    if not zone.inside:
        yield (
            f"The zone '{zone.zone}' lies partly outside the picture; turn the camera, or hang it higher, "
            "so that the whole felt is seen."
        )
    if zone.card_height_px < HEIGHT_PX_MIN:
        yield (
            f"In the zone '{zone.zone}' a card is only {zone.card_height_px:.0f} pixels high and would never be named "
            f"(it needs {HEIGHT_PX_MIN:.0f}); hang the camera lower, or choose a larger picture."
        )
    elif zone.card_height_px < GOOD_PX_MIN:
        yield (
            f"In the zone '{zone.zone}' a card is {zone.card_height_px:.0f} pixels high, which is little "
            f"({GOOD_PX_MIN:.0f} is good); hang the camera a little lower, or choose a larger picture."
        )
    if zone.slant < _SLANT_MIN:
        yield (
            f"The zone '{zone.zone}' is seen too slanted: a card keeps {zone.slant:.0%} of its shape; "
            "hang the camera more over the middle of the felt."
        )


def _not_bare(calibration: Calibration, frame: Pixels) -> Iterator[str]:
    if (frame.shape[1], frame.shape[0]) != calibration.frame_px:
        width, height = calibration.frame_px
        yield f"The picture is no longer {width} × {height} pixels large; calibrate the camera again."
        return
    sight = Sight(calibration, thumbnail(frame))
    zones: dict[str, None] = {}
    for region in calibration.layout.regions:
        seen = sight.card_at(region, frame) if isinstance(region, Slot) else sight.fan_at(region, frame)
        if isinstance(seen, SeenCard | SeenFan):
            zones[region.zone] = None
    for zone in zones:
        yield f"A card lies in the zone '{zone}'; clear the felt and calibrate again, so that the empty felt is known."
