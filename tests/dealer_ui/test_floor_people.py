"""People of the simulated floor at two web nodes, and machines that stand where a configuration looks for them."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from made_certificate import NAME, certify
from nats_server import NatsServer, needs_nats
from open_port import OpenPort
from patience import PATIENCE_S, wait_until
from wire_house import WireHouse

from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.config.shape import DeviceSection
from dealer_ui.process.clock import SteadyClock
from dealer_ui.rehearsal.floor.browser import Browser
from dealer_ui.rehearsal.floor.form import form_of
from dealer_ui.rehearsal.floor.stand import Stand
from dealer_ui.verbs.cluster_files import free_port
from devices.camera.picture.frame import PackedPicture
from devices.camera.source.live import StreamSource
from devices.link import LineSettings, LinkLostError, open_link
from studio.errors import BadInputError, RefusedError
from studio.people import Actor
from studio.tables import command as c

PETRA = Actor("p1", "Petra", frozenset({"pit_boss"}))
DANA = Actor("d1", "Dana", frozenset({"dealer"}))


class Nodes:
    """Two web nodes at ports of their own; `close` ends one as when it is killed."""

    def __init__(self, house: WireHouse) -> None:
        self.house = house
        self.ports = [OpenPort(house.web.app), OpenPort(house.start_web("web-2").app)]

    @property
    def addresses(self) -> list[str]:
        return [f"127.0.0.1:{port.number}" for port in self.ports]


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, hosts=("a",)) as house:
        made = Nodes(house)
        yield made
        for port in made.ports:
            port.close()


@needs_nats
def test_who_gets_no_answer_at_one_node_presses_at_the_next_and_is_told_no_there_too(nodes: Nodes) -> None:
    with closing(Browser(nodes.addresses, "2001", "730162", timeout_s=60.0)) as petra:
        opening = c.OpenTable(actor=PETRA, dealer=DANA.id, dealer_name="", id="x1")
        petra.press("t1", form_of(opening), types_pin=True)
        wait_until(lambda: nodes.house.at_host("t1").now.status == "open")
        assert nodes.house.at_host("t1").seat.dealer_name == "Dana"

        nodes.ports[0].close()
        petra.press("t1", form_of(c.PauseTable(actor=PETRA, id="x2")), types_pin=True)
        wait_until(lambda: nodes.house.at_host("t1").now.status == "paused")
        assert petra.moves == 1
        with pytest.raises(RefusedError) as told:
            petra.press("t1", form_of(c.StartRound(actor=PETRA, id="x3")), types_pin=False)
        assert told.value.key == "paused"


def test_where_no_node_answers_a_press_is_refused() -> None:
    nobody = Browser([f"127.0.0.1:{free_port()}"], "2001", "730162")
    with pytest.raises(RefusedError, match="No web node takes the press"):
        nobody.press("t1", form_of(c.AnswerCall(actor=PETRA, id="x1")), types_pin=False)


def floor_config(**urls: str) -> StudioConfig:
    found = {"shoe": f"socket://127.0.0.1:{free_port()}", "shuffler": f"socket://127.0.0.1:{free_port()}"}
    found |= {"camera": f"http://127.0.0.1:{free_port()}/felt.mjpg"} | urls
    drivers = {"shoe": "angel_eye", "shuffler": "generic", "camera": "camera"}
    return StudioConfig(
        devices=tuple(DeviceSection(id=id, driver=drivers[id], url=url) for id, url in found.items()),
        tables=(TableSection(key="t1", title="T", game="kkclash", shoe="shoe", shuffler="shuffler", camera="camera"),),
    )


def stand(config: StudioConfig) -> Stand:
    return Stand(config, config.tables[0], 1, 1.0, SteadyClock())


@pytest.mark.parametrize(
    ("device", "url"),
    [("shoe", "/dev/ttyUSB0"), ("shoe", "socket://10.0.0.9:4001"), ("camera", "rtsp://127.0.0.1:554/video")],
)
def test_a_machine_that_is_looked_for_elsewhere_is_not_played_here(device: str, url: str) -> None:
    with pytest.raises(BadInputError, match=f"The device {device} is looked for at {url}, and is played at"):
        stand(floor_config(**{device: url}))


def test_its_machines_are_reached_by_tls_where_the_configuration_looks_for_them_so(tmp_path: Path) -> None:
    certify(tmp_path)
    shown, trust = tmp_path / "fullchain.pem", f"ca={tmp_path}/fullchain.pem&name={NAME}"
    urls = {id: f"tls://127.0.0.1:{free_port()}#{trust}" for id in ("shoe", "shuffler")}
    camera = f"https://127.0.0.1:{free_port()}/felt.mjpg#{trust}"
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(shown, tmp_path / "key.pem")
    config, over = floor_config(**urls, camera=camera), threading.Event()
    made = Stand(config, config.tables[0], 1, 1.0, SteadyClock(), tls)
    made.start()
    pumping = threading.Thread(target=made.pump, args=(over,))
    pumping.start()
    try:
        for url in urls.values():
            with closing(open_link(url, LineSettings())):
                pass
        with closing(StreamSource(camera)) as looks:
            wait_until(lambda: isinstance(looks.grab(0), PackedPicture), 0.05)
        with pytest.raises(LinkLostError, match="issued by nobody"):
            open_link(urls["shoe"].replace(str(shown), authority_of_others(tmp_path)), LineSettings())
    finally:
        over.set()
        pumping.join(PATIENCE_S)
        made.close()
    with pytest.raises(BadInputError, match="is played at socket://"):
        stand(config)


def authority_of_others(folder: Path) -> str:
    """A file with another authority than the one that issued what the floor shows."""
    (folder / "other").mkdir()
    certify(folder / "other")
    return str(folder / "other" / "fullchain.pem")


@pytest.mark.parametrize("device", ["shoe", "camera"])
def test_a_port_that_something_else_has_is_told(device: str) -> None:
    config = floor_config()
    port = int(config.device(device).url.removesuffix("/felt.mjpg").rpartition(":")[2])
    told = f"answer at port {port}: Address already in use"
    with socket.create_server(("127.0.0.1", port)), pytest.raises(BadInputError, match=told):
        stand(config)
