"""What `./evenweave bench sdd` makes of the packets and weeks that it saw."""

import struct

import pytest

from evenweave_bench.sdd import circuits, reaction, slots, takeover, weeks
from evenweave_bench.sdd.arrivals import Arrival, arrival_of
from evenweave_bench.sdd.controlled_bed import PERIOD_NS
from evenweave_bench.sdd.reaction import Round

US, MS = 1000, 1_000_000


def at(*times_ns: int, to: str = "10.9.0.5", dscp: int = 0) -> list[Arrival]:
    return [Arrival(time_ns, to, 20000, dscp, 1250) for time_ns in times_ns]


def frame(protocol: int = 17, version: int = 0x45) -> bytes:
    ip = struct.pack(
        ">BBHHHBBH4s4s", version, 8 << 2, 1486, 0, 0, 64, protocol, 0, bytes(4), b"\n\t\0\5"
    )
    return bytes(14) + ip + struct.pack(">HHHH", 1, 20000, 1466, 0)


def test_a_udp_packet_is_read_and_others_are_left_out():
    stamp = struct.pack("qq", 7, 8)
    assert arrival_of(stamp, frame()) == Arrival(7_000_000_008, "10.9.0.5", 20000, 8, 1500)
    assert arrival_of(stamp, frame(protocol=6)) is None
    assert arrival_of(stamp, frame(version=0x46)) is None
    assert arrival_of(stamp, frame()[:30]) is None


def test_the_first_packet_after_a_start_and_the_last_after_a_stop_count():
    rounds = [Round(0, 100 * US), Round(3000 * US, 3100 * US)]
    # after the second STOP there is none
    seen = at(20 * US, 32 * US, 95 * US, 107 * US, 3050 * US, 3062 * US)
    on, off = reaction.of(rounds, seen)
    assert (on["command"], on["n"], on["p50Us"], on["maxUs"]) == ("START", 2, 20.0, 50.0)
    assert (off["command"], off["n"], off["p50Us"], off["maxUs"]) == ("STOP", 2, 0.0, 7.0)
    # the median of two packets' rate in 75 us and one's in 12
    assert on["gotBps"] == round((2 * 12000e9 / (75 * US) + 12000e9 / (12 * US)) / 2)


def test_a_start_that_a_stop_overtakes_is_not_counted():
    on, off = reaction.of([Round(0, 100), Round(5000, 9000)], at(5500))
    assert (on["n"], on["gotBps"], off["n"]) == (1, 0, 2)


def test_a_round_in_which_the_queue_ran_out_is_not_counted():
    rounds = [Round(0, 50), Round(1000, 2000, counted=False), Round(3000, 4000)]
    on, off = reaction.of(rounds, at(10, 60, 1010, 1020, 3500))
    assert (on["n"], on["maxUs"], off["n"], off["maxUs"]) == (2, 0.5, 2, 0.0)
    assert off["percentilesUs"][0] == 0.0


def test_delays_are_split_into_their_mean_and_deviation_without_the_greatest():
    rounds = [Round(i * 10 * MS, (i * 10 + 5) * MS) for i in range(100)]
    delays = [4000 if i == 50 else 10 if i % 2 else 14 for i in range(100)]
    seen = at(*(one.start_ns + delay * US for one, delay in zip(rounds, delays, strict=True)))
    on, _ = reaction.of(rounds, seen)
    # of 99: 50 delays of 10 us and 49 of 14
    assert on["fixedUs"] == pytest.approx(12.0, abs=0.03)
    assert on["variableUs"] == pytest.approx(2.0, abs=0.01)
    assert (on["p50Us"], on["p99Us"], on["maxUs"]) == (10.0, 14.0, 4000.0)
    assert len(on["percentilesUs"]) == 101
    assert on["percentilesUs"] == sorted(on["percentilesUs"])


def test_deviations_are_those_of_bursts_by_the_slot():
    ordered = [(0, 100 * US), (200 * US, 300 * US), (400 * US, 500 * US)]
    exact = at(*(start + t * US for start, _ in ordered for t in (0, 40, 80)))
    row = slots.of(ordered, exact, 100 * US)
    assert (row["slotUs"], row["slots"], row["bursts"], row["packets"]) == (100, 3, 3, 9)
    assert row["onDeviation"] == row["offDeviation"] == row["outsideShare"] == 0
    # the last burst ends 20 us later: bursts of 80, 80 and 100
    late = slots.of(ordered, [*exact, *at(505 * US)], 100 * US)
    assert late["onDeviation"] == pytest.approx(0.1443, abs=0.0001)
    assert late["offDeviation"] == 0
    assert late["outsideShare"] == 0.1


def test_nothing_that_came_has_no_deviation():
    row = slots.of([(0, 100 * US)], [], 100 * US)
    assert (row["bursts"], row["onDeviation"], row["outsideShare"]) == (0, 0.0, 0.0)


def week(period: int, *to: str) -> dict:
    """A day of 40 ms, after a night of 10, for each destination of the sender; h5 sends as well."""
    days = [
        {
            "startNs": (10 + 50 * i) * MS,
            "durationNs": 40 * MS,
            "circuits": [
                {"from": circuits.SENDER, "to": name},
                {"from": "h5", "to": circuits.SENDER},
            ],
        }
        for i, name in enumerate(to)
    ]
    return {"period": period, "startNs": period * PERIOD_NS, "days": days}


def test_the_busiest_host_says_how_many_nights_a_week_has():
    demand = [{"from": a, "to": b, "bytes": 1} for a, b in ("12", "13", "23", "43")]
    assert weeks.most_peers(demand) == 3
    assert weeks.most_peers([]) == 0


def test_a_circuit_to_itself_is_none():
    alone = week(3, circuits.SENDER)
    assert list(weeks.days_of(alone, circuits.SENDER)) == []
    # of the two of the day, the other host's counts
    assert weeks.scheduled_ns(alone) == 40 * MS
    assert list(weeks.days_of(alone, "h5")) == [
        (3 * PERIOD_NS + 10 * MS, 3 * PERIOD_NS + 50 * MS, circuits.SENDER)
    ]


BEFORE, AFTER = circuits.BEFORE, circuits.AFTER
# the demand changes within week 3 and ends within week 7
SEEN = [week(0), week(1, *BEFORE), week(2, *BEFORE), week(3, *BEFORE), week(4, "h6", "h1")]
SEEN += [week(5, *AFTER, "h7"), week(6, *AFTER), week(7, *AFTER), week(8, "h1"), week(9)]


def test_weeks_are_counted_from_the_one_in_which_demand_changes():
    found = circuits.convergence(SEEN, 3 * PERIOD_NS + 1, 7 * PERIOD_NS + 1)
    assert (found["weeksToServe"], found["weeksToOptimum"], found["weeksToNone"]) == (2, 3, 2)
    assert (found["weeksBefore"], found["optimalShareBefore"]) == (3, 1)
    assert (found["weeksAfter"], found["optimalShareAfter"]) == (2, 1)


def test_what_does_not_happen_is_not_counted():
    found = circuits.convergence([week(0), week(1, "h1")], 0, PERIOD_NS)
    assert found["weeksToServe"] is found["weeksToOptimum"] is found["weeksToNone"] is None
    assert found["optimalShareBefore"] is found["optimalShareAfter"] is None


def test_circuits_are_as_full_as_what_came_by_them():
    seen = at(*((p * PERIOD_NS + (12 + 2 * i) * MS) for p in range(1, 4) for i in range(18)))
    seen += at(2 * PERIOD_NS, dscp=weeks.PACKET_SWITCH_DSCP)
    seen += at(2 * PERIOD_NS, to="10.9.0.6")
    # weeks 1 to 3 are looked at: 54 packets of 10,000 bits in 3 days of 40 ms
    found = circuits.utilisation(SEEN, seen, "h5", "10.9.0.5", 5 * PERIOD_NS)
    assert found == {"weeks": 4, "scheduledMs": 120.0, "bps": 4_500_000}
    assert circuits.utilisation(SEEN, seen, "h8", "10.9.0.8", PERIOD_NS)["bps"] == 0


def test_a_time_line_has_what_is_around_the_moment():
    names = {"10.9.0.5": "h5", "10.9.0.6": "h6"}
    moment = 3 * PERIOD_NS
    seen = at(moment - 5 * MS, moment + 7 * MS) + at(moment + 8 * MS, to="10.9.0.6", dscp=8)
    seen += at(moment, to="10.9.0.9") + at(moment + 300 * MS)
    line = weeks.time_line(circuits.SENDER, reversed(SEEN), seen, names, moment, (-30, 210))
    assert (line["fromMs"], line["toMs"], line["weeksMs"]) == (-30, 210, [0.0, 200.0])
    assert line["packets"] == {"circuit": {"h5": [-5.0, 7.0]}, "packetSwitch": {"h6": [8.0]}}
    # of the week before none reaches so far
    assert line["days"] == [(10, 50, "h5"), (60, 100, "h6"), (110, 150, "h7")]


def test_the_longest_silence_is_that_of_the_port_that_got_least():
    def to(port: int, *times_ns: int) -> list[Arrival]:
        return [Arrival(time_ns, "127.0.0.1", port, 0, 100) for time_ns in times_ns]

    assert takeover.longest_silence([], 10, 30) == 20
    assert takeover.longest_silence(to(1, 12, 18, 29), 10, 30) == 11
    # before the first and behind the last
    assert takeover.longest_silence(to(1, 22, 23), 10, 30) == 12
    assert takeover.longest_silence(to(1, 11, 13), 10, 30) == 17
    # the other port gets more, at other times, and neither counts outside of the time
    assert takeover.longest_silence(to(1, 15, 22) + to(2, 12, 18, 25), 10, 30) == 8
    assert takeover.longest_silence(to(1, 5, 20, 35), 10, 30) == 10
    assert takeover.longest_silence(to(1, 20) + to(2, 40), 10, 30) == 20


def test_takeovers_are_summed_up_in_periods():
    period = takeover.PERIOD_NS
    measured = [
        takeover.Takeover(leads * period // 10, 2 * period, period, period // 2, 0)
        for leads in (9, 1, 2)
    ]
    figures = takeover.in_periods(measured)
    assert figures["leadsPeriods"] == 0.2 and figures["leadsMaxPeriods"] == 0.9
    assert figures["silentPeriods"] == 2 and figures["idleMaxPeriods"] == 1
    assert figures["silentBeforePeriods"] == 0.5 and figures["idleBeforePeriods"] == 0
