"""ONOS's own topology view, in a real browser: what the application draws into it."""

from __future__ import annotations

import json
import re
import shutil
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest
from runtimes import ONOS_IS_MISSING, ROOT, needs_onos
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from evenweave_testbed.controller import HTTP_ADDRESS
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import APPLICATION, OnosRest

_GUI = "org.onosproject.gui2"
_GUI_IS_MISSING = not ONOS_IS_MISSING and not (Distribution.find().onos / "apps" / _GUI).is_dir()
_BROWSER, _DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.fabric,
    *needs_onos,
    pytest.mark.skipif(
        not (_BROWSER and _DRIVER),
        reason="no browser: apt-get install chromium chromium-driver",
    ),
    pytest.mark.skipif(_GUI_IS_MISSING, reason=f"this ONOS comes without its GUI, {_GUI}"),
]

_PICTURE = ROOT / "target/onos-gui.png"
_PAIR = "org.evenweave.app.gui.PairShown"
# A page of a megabyte of script, drawn without a graphics card on two busy cores.
# A hang guard.
_TIMEOUT_S = 180.0
# How long GUI2 takes to show devices' names, twice over.
_ANIMATION_S = 1.0
# The view's own coordinates. The pair that is shown first stands left and right, so that no two
# lines between it and the middle cross at their labels.
_PLACES = {
    "s1-0": (150, 500),
    "s1-1": (850, 500),
    "s1-2": (500, 950),
    "s2-0": (500, 150),
    "s2-1": (500, 430),
    "s2-2": (500, 710),
}
# Everything the view shows of links and devices, as ONOS's own templates have it in the document.
_READ_VIEW = """
  const links = {}, badges = {};
  for (const g of document.querySelectorAll('g[onos-linksvg]')) {
    const line = g.querySelector('line'), text = g.querySelector('g.linkLabel text');
    links[line.querySelector('desc').textContent.trim().split(' ')[0]] =
      {classes: line.getAttribute('class').split(' '), label: text.textContent.trim()};
  }
  for (const g of document.querySelectorAll('g[onos-devicenodesvg]')) {
    const badge = g.querySelector('g[onos-badgesvg]');
    badges[g.querySelector('desc').textContent.trim().split(' ')[1]] = badge && {
      text: badge.querySelector('text').textContent.trim(),
      status: badge.querySelector('circle').getAttribute('class').split(' ').pop(),
      message: badge.querySelector('g').title
    };
  }
  return {links: links, badges: badges};
"""


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


class Gui:
    """ONOS as an operator at a browser has it."""

    def __init__(self, fabric: Fabric, browser: webdriver.Chrome) -> None:
        self.rest = OnosRest(HTTP_ADDRESS, Credentials.of_onos())
        self.browser = browser
        self.device = {s.id: f"of:{s.dpid}" for s in fabric.spec.switches}

    def open(self) -> None:
        """Logs in and waits until the topology view has all devices."""
        # The GUI counts as active before its pages are there.
        deadline = time.monotonic() + _TIMEOUT_S
        self.browser.get(f"{self.rest.base}/ui")
        while not self.browser.find_elements(By.NAME, "j_username"):
            assert time.monotonic() < deadline, f"no login page: {self.browser.page_source}"
            time.sleep(1)
            self.browser.get(f"{self.rest.base}/ui")
        credentials = self.rest.credentials
        self.browser.find_element(By.NAME, "j_username").send_keys(credentials.user)
        self.browser.find_element(By.NAME, "j_password").send_keys(credentials.password)
        # The button is called "submit", which hides the form's method of that name.
        self.browser.execute_script("document.getElementById('submit').click()")
        self.wait(lambda view: len(view["badges"]) == len(self.device), "topology")

    def view(self) -> dict:
        return self.browser.execute_script(_READ_VIEW)

    def wait(self, condition: Callable[[dict], bool], what: str) -> dict:
        """What the view shows as soon as it is as it should be."""
        deadline = time.monotonic() + _TIMEOUT_S
        while not condition(view := self.view()):
            assert time.monotonic() < deadline, f"no {what} in {json.dumps(view, indent=1)}"
            time.sleep(0.2)
        return view

    def show(self, pair: str) -> None:
        """`cfg set org.evenweave.app.gui.PairShown pair PAIR`"""
        self.send("POST", f"configuration/{_PAIR}", {"pair": pair})

    def send(self, method: str, path: str, content: dict | None = None) -> None:
        request = urllib.request.Request(
            f"{self.rest.base}/v1/{path}",
            json.dumps(content).encode() if content is not None else None,
            self.rest.credentials.headers()
            | ({"Content-Type": "application/json"} if content is not None else {}),
            method=method,
        )
        urllib.request.urlopen(request, timeout=_TIMEOUT_S).close()

    # What REST says

    def expected_shares(self, source: str, destination: str) -> dict[frozenset, list[str]]:
        """The share of every link that carries traffic of the pair, by the two devices."""
        paths = self.rest.get(f"/evenweave/paths?from={source}&to={destination}")["paths"]
        sums: dict[str, float] = defaultdict(float)
        for path in paths:
            for link in path["links"]:
                sums[link] += path["realisedShare"]
        shares = defaultdict(list)
        for link, share in sums.items():
            ends = re.fullmatch(r"(s\d-\d)/\d+-(s\d-\d)/\d+", link).groups()
            shares[frozenset(self.device[end] for end in ends)].append(f"{100 * share:.1f}%")
        return {line: sorted(of_line) for line, of_line in shares.items()}

    def expected_badges(self, source: str, destination: str) -> dict[str, str]:
        """What the badges of the switches between two others say."""
        paths = self.rest.get(f"/evenweave/paths?from={source}&to={destination}")["paths"]
        shares: dict[str, float] = defaultdict(float)
        for path in paths:
            for link in path["links"][1:]:
                shares[link.partition("/")[0]] += path["realisedShare"]
        rows = self.rest.get("/evenweave/oversubscription")["switches"]
        return {
            self.device[row["switch"]]: f"{100 * shares[row['switch']]:.1f}% of the pair's "
            f"capacity; {row['entries']} of {row['table']} multipath table entries"
            for row in rows
            if row["switch"] in shares
        }


def shown_shares(view: dict) -> dict[frozenset, list[str]]:
    """The shares in the links' labels, by the two devices; parallel links have one label."""
    shares = defaultdict(list)
    for link, shown in view["links"].items():
        if shown["label"]:
            line = frozenset(end.rpartition("/")[0] for end in link.split("~"))
            for count, share in re.findall(r"(?:(\d+) \u00d7 )?([\d.]+%)", shown["label"]):
                shares[line] += [share] * int(count or 1)
    return {line: sorted(of_line) for line, of_line in shares.items()}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = _BROWSER
    profile = tmp_path_factory.mktemp("chromium")
    for argument in (
        "--headless=new",
        # Chromium refuses to sandbox pages for root, and fabrics need root.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--window-size=1600,1100",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(_DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def gui(fabric: Fabric, browser: webdriver.Chrome) -> Iterator[Gui]:
    gui = Gui(fabric, browser)
    gui.send("POST", f"applications/{_GUI}/active")
    places = {
        gui.device[switch]: {"basic": {"name": switch, "locType": "grid", "gridX": x, "gridY": y}}
        for switch, (x, y) in _PLACES.items()
    }
    gui.send("POST", "network/configuration/devices", places)
    gui.show("auto")
    gui.open()
    yield gui
    browser.get("about:blank")
    gui.show("auto")
    for device in places:
        gui.send("DELETE", f"network/configuration/devices/{device}")
    gui.send("DELETE", f"applications/{_GUI}/active")


def badge_messages(view: dict) -> dict[str, str]:
    return {device: badge["message"] for device, badge in view["badges"].items() if badge}


def is_clear(view: dict) -> bool:
    """Whether nothing of the application's is to be seen."""
    coloured = [link for link in view["links"].values() if "secondary" in link["classes"]]
    return not coloured and not shown_shares(view) and not badge_messages(view)


def test_labels_are_the_pairs_shares_and_badges_the_tables_use(gui: Gui) -> None:
    expected = gui.expected_shares("s1-0", "s1-1")
    # Two links to s2-0 are drawn as one line.
    assert len(expected) == 6
    badges = gui.expected_badges("s1-0", "s1-1")
    assert len(badges) == 3
    # GUI2 draws badges and links one after another.
    view = gui.wait(
        lambda view: (shown_shares(view), badge_messages(view)) == (expected, badges),
        f"shares {expected} and badges {badges}",
    )
    carrying = {link for link, shown in view["links"].items() if "secondary" in shown["classes"]}
    assert len(carrying) == 8, "the links that carry traffic of the pair"
    # Twice the key for labels: the devices' names.
    body = gui.browser.find_element(By.TAG_NAME, "body")
    body.send_keys("l")
    body.send_keys("l")
    time.sleep(_ANIMATION_S)
    _PICTURE.parent.mkdir(exist_ok=True)
    assert gui.browser.save_screenshot(str(_PICTURE))


def test_switches_have_places_by_stage_until_the_operator_or_the_end_of_the_application(
    gui: Gui,
) -> None:
    gui.send("DELETE", f"network/configuration/devices/{gui.device['s2-1']}")

    def places() -> dict[str, dict]:
        configured = gui.rest.get("/v1/network/configuration/devices")
        return {
            switch: basic
            for switch, device in gui.device.items()
            if (basic := configured.get(device, {}).get("basic"))
        }

    def eventually(condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _TIMEOUT_S
        while not condition():
            assert time.monotonic() < deadline, f"no {what}: {places()}"
            time.sleep(0.2)

    eventually(lambda: "s2-1" in places(), "place of s2-1")
    assert places()["s2-1"]["locType"] == "grid"
    assert (places()["s2-0"]["gridX"], places()["s2-0"]["gridY"]) == _PLACES["s2-0"]
    try:
        gui.send("DELETE", f"applications/{APPLICATION}/active")
        eventually(lambda: "s2-1" not in places(), "end of the place of s2-1")
        assert "s2-0" in places(), "the operator's place is gone"
    finally:
        gui.send("POST", f"applications/{APPLICATION}/active")
        eventually(gui.rest.evenweave_answers, "answer of the application")


def test_another_pair_takes_the_place_of_the_one_before_and_off_clears_the_view(
    gui: Gui,
) -> None:
    gui.show("s1-2 s1-0")
    expected = gui.expected_shares("s1-2", "s1-0")
    assert expected != gui.expected_shares("s1-0", "s1-1")
    gui.wait(lambda view: shown_shares(view) == expected, f"shares {expected}")
    gui.show("off")
    gui.wait(is_clear, "clear view")


def test_nothing_is_left_when_the_application_is_deactivated(gui: Gui) -> None:
    gui.wait(lambda view: shown_shares(view) and badge_messages(view), "picture")
    try:
        gui.send("DELETE", f"applications/{APPLICATION}/active")
        gui.wait(is_clear, "clear view")
    finally:
        gui.send("POST", f"applications/{APPLICATION}/active")
        deadline = time.monotonic() + _TIMEOUT_S
        while not gui.rest.evenweave_answers():
            assert time.monotonic() < deadline, "the application does not come back"
            time.sleep(0.2)
