"""A table's camera as whoever plays there sees it: one picture after another, painted over where cards lie face down.

    multipart/x-mixed-replace: each part a JPEG, some five a second, none while there is no new one

A closed table shows nothing. It is a telling (`live.telling`): whoever reads slowly is shown fewer pictures.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from dealer_ui.floor.house import House, section_of
from dealer_ui.frame.picture_rack import PictureRack
from dealer_ui.live.telling import Rest, Telling

KIND: Final = "multipart/x-mixed-replace; boundary=picture"
PAUSE_S: Final = 0.2
_SIZE: Final = "medium"


@dataclass(frozen=True, slots=True)
class Video:
    """Where a media server shows a table; `kind` is `whep` or `hls`."""

    address: str

    @property
    def kind(self) -> str:
        return "hls" if self.address.partition("?")[0].endswith(".m3u8") else "whep"

    @property
    def origin(self) -> str:
        """
        >>> Video("https://media.example/t1/whep").origin, Video("https://media.example/t1.m3u8?a=b").kind
        ('https://media.example', 'hls')
        """
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


def video_of(house: House, table: str) -> Video | None:
    """What the configuration names; None where the studio's own camera is shown."""
    section = section_of(house, table)
    return Video(section.video) if section is not None and section.video else None


def moving_picture(
    house: House, rack: PictureRack, table: str, still: Callable[[], bool], closing: threading.Event
) -> Telling:
    """Told until `still` says that nobody may look any more."""
    shown = b""
    while not closing.is_set() and still():
        jpeg = rack.live(table, _SIZE) if house.view(table).now.status != "closed" else b""
        if jpeg and jpeg != shown:
            shown = jpeg
            yield b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)
        yield Rest(PAUSE_S)
