"""Grey failures of links, in a fabric whose links have a middle (`grey.wires`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from evenweave_testbed.grey.wires import Wire
from evenweave_testbed.soak.acts.act import Act, Site
from evenweave_testbed.soak.acts.load import Load
from evenweave_testbed.soak.faults import Fault
from evenweave_topos.topologies import interface_name


class GreyLink(Act):
    """A fault of one direction of a link: from the end that the fault's detail begins with.

    `load_pps` frames a second of `load_bytes` are sent in that direction meanwhile, where the
    fault shows only in a certain traffic.
    """

    load_pps, load_bytes = 0, 0

    def __init__(self, site: Site, fault: Fault) -> None:
        super().__init__(site, fault)
        sender, _, self.amount = fault.detail.partition(" ")
        self._link = site.world.spec.link(fault.subject)
        ends = {str(end): end for end in (self._link.a, self._link.b)}
        (receiver,) = ends.keys() - {sender}
        self._wire = site.fabric.wire(sender, receiver)
        interface = interface_name(ends[sender].switch, ends[sender].port)
        self._load = Load(interface, self.load_pps, self.load_bytes)

    @abstractmethod
    def _put(self, wire: Wire, amount: float) -> None:
        """Puts a fault on the wire, or with 0 none."""

    def begin(self) -> None:
        if self.load_pps:
            self._load.start()
        self.starts_now()
        self._put(self._wire, float(self.amount))

    def end(self) -> None:
        self._put(self._wire, 0)
        self._load.stop()

    def is_about(self, subject: str) -> bool:
        return self.fault.subject in subject

    def is_in_sight(self) -> bool:
        """A link that is down, or whose switch is away, is not measured."""
        world = self.site.world
        ends = {self._link.a.switch, self._link.b.switch}
        return self._link in world.working_links() and ends <= world.connected()


class LossyLink(GreyLink):
    """A share of the packets is lost, such as 0.1."""

    named_by = ("link-lossy",)
    # A minute at 1,000 packets a second; at a tenth of that a window of readings more.
    detect_s = 120.0
    # Two minutes without loss behind a window of one, doubled each time it comes back.
    clear_s = 600.0

    def _put(self, wire: Wire, amount: float) -> None:
        wire.lose(amount)

    def reason(self) -> str:
        return f"link {self.fault.subject} is lossy"


class FaintLink(LossyLink):
    """A hundredth of the packets is lost: 2 a second, whatever of the traffic takes the link."""

    load_pps, load_bytes = 200, 100


class CorruptLink(GreyLink):
    """A bit is wrong in a share of the packets, such as 0.2, and no port counts it: only probes
    show it."""

    named_by = ("link-lossy",)
    # A minute of probes shows it in nine of ten cases, and it begins anew when the loss of three
    # probes of the discovery in a row takes the link down meanwhile.
    detect_s = 300.0
    clear_s = 600.0

    def _put(self, wire: Wire, amount: float) -> None:
        wire.damage(amount)

    def reason(self) -> str:
        return f"link {self.fault.subject} is lossy"


class NarrowLink(GreyLink):
    """A share of what is sent passes, such as 0.1; the queue before it is full. It drops large
    packets sooner than small ones, which looks like a small MTU, and delays those that it holds."""

    named_by = ("link-lossy", "mtu-too-small", "link-slow")
    load_pps, load_bytes = 150, 1400
    # 15 rounds of 2 s show an MTU under load, and a loss needs a minute.
    detect_s = 120.0
    clear_s = 600.0
    _REASONS = ("is lossy", "has too small an MTU", "is slow")

    def _put(self, wire: Wire, amount: float) -> None:
        wire.slow(round(self._load.bps * amount))

    def reason(self) -> str:
        return f"link {self.fault.subject} "

    def is_said(self, status: Mapping) -> bool:
        return any(
            reason.startswith(self.reason()) and any(what in reason for what in self._REASONS)
            for reason in status.get("reasons", ())
        )


class LateLink(GreyLink):
    """Each packet is delayed by a number of seconds, such as 0.4."""

    named_by = ("link-slow",)
    # Ten rounds of 2 s, and two until the first is judged.
    detect_s = 60.0
    # As for a lossy link.
    clear_s = 600.0

    def _put(self, wire: Wire, amount: float) -> None:
        wire.delay(amount)

    def reason(self) -> str:
        return f"link {self.fault.subject} is slow"


class SmallMtu(GreyLink):
    """IP packets of more than some bytes are lost."""

    named_by = ("mtu-too-small",)
    # Five rounds of 2 s, 15 under load, and two until probes count as lost.
    detect_s = 45.0

    def _put(self, wire: Wire, amount: float) -> None:
        wire.limit(int(amount))

    def reason(self) -> str:
        return f"link {self.fault.subject} has too small an MTU"

    def is_said(self, status: Mapping) -> bool:
        """Also where the link's sentence names another fault of it first."""
        link, fault = f"link {self.fault.subject} ", "has too small an MTU"
        return any(r.startswith(link) and fault in r for r in status.get("reasons", ()))
