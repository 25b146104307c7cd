/** The SDD controller: the week as circuits over time, the demand, and what of it is served. */

import * as api from "../api";
import { button, fill, h, table, type Child } from "../dom";
import { byName, bytes, count, millis, percent, rate } from "../format";
import { HeatMap, type Matrix } from "../heatmap";
import { WhileSeen } from "../polling";
import { card, facts, noSdd } from "./parts";
import type { Panel } from "./context";
import { weekChart } from "./week";

const POLL_MS = 1000;
const MOST_HOSTS = 24;
const MOST_PAIRS = 60;
const BITS = 8e9;

interface Pair {
  from: string;
  to: string;
  demand: number;
  /** How much the week's circuits can carry. */
  carried: number;
  circuitNs: number;
}

export class CircuitsPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "SDD: circuits" } });
  private readonly problem = h("p", { class: "hint" });
  private readonly filter = h("input", {
    attrs: { type: "search", placeholder: "host", "aria-label": "Filter hosts of the week" },
  });
  private readonly hold = button("Hold", () => this.toggle(), {
    class: "quiet",
    attrs: { "aria-pressed": "false" },
  });
  private readonly head = h("div");
  private readonly week = h("div");
  private readonly pairs = h("div");
  private readonly map = new HeatMap({
    label: "Demand, from the host of the row to the host of the column",
    text: bytes,
    choose: (from) => void this.showQueues(from),
  });
  private readonly queues = h("div", { attrs: { "aria-live": "polite" } });
  private readonly body = h(
    "div",
    {},
    this.head,
    h("div", { class: "heading" }, h("h3", {}, "Week"), this.filter, this.hold),
    this.week,
    h("h3", {}, "Demand"),
    this.map.element,
    this.pairs,
    this.queues,
  );
  private isHeld = false;

  constructor() {
    this.body.hidden = true;
    this.element.append(h("h2", {}, "Circuits (SDD)"), this.problem, this.body);
    new WhileSeen(this.element, POLL_MS, () => this.read());
  }

  show(): void {
    // It has its own readings, since weeks change without an event.
  }

  /** A week lasts milliseconds: who wants to look at one holds it. */
  private toggle(): void {
    this.isHeld = !this.isHeld;
    this.hold.setAttribute("aria-pressed", String(this.isHeld));
    this.hold.textContent = this.isHeld ? "Go on" : "Hold";
  }

  private async read(): Promise<void> {
    if (this.isHeld) {
      return;
    }
    try {
      const [status, schedule, demand] = await Promise.all([
        api.get<api.SddStatus>("sdd/status"),
        api.get<api.SddSchedule>("sdd/schedule"),
        api.get<api.SddDemand>("sdd/demand"),
      ]);
      if (this.isHeld) {
        return;
      }
      this.body.hidden = false;
      fill(this.problem);
      this.fill(status, schedule, demand);
    } catch (error) {
      this.body.hidden = true;
      fill(this.problem, noSdd(error as Error));
    }
  }

  private fill(status: api.SddStatus, schedule: api.SddSchedule, demand: api.SddDemand): void {
    const pairs = pairsOf(status, schedule, demand);
    const wanted = pairs.reduce((sum, pair) => sum + pair.demand, 0);
    const served = pairs.reduce((sum, pair) => sum + Math.min(pair.demand, pair.carried), 0);
    fill(this.head, ...headOf(status, schedule, wanted, served));
    const names = [...new Set(pairs.flatMap((pair) => [pair.from, pair.to]))].sort(byName);
    const search = this.filter.value.trim().toLowerCase();
    const hosts = names.filter((name) => name.toLowerCase().includes(search));
    fill(
      this.week,
      schedule.period < 0
        ? h("p", { class: "hint" }, "No week was announced yet.")
        : weekChart(schedule, status.periodNs, hosts.slice(0, MOST_HOSTS)),
      hosts.length > MOST_HOSTS &&
        h(
          "p",
          { class: "hint" },
          `The first ${MOST_HOSTS} of ${hosts.length} hosts; filter for others.`,
        ),
    );
    this.map.show(matrixOf(names, pairs));
    this.showPairs(pairs, wanted);
  }

  private showPairs(pairs: Pair[], wanted: number): void {
    const largest = [...pairs].sort(
      (a, b) => b.demand - a.demand || byName(a.from, b.from) || byName(a.to, b.to),
    );
    fill(
      this.pairs,
      table(
        `Demand of ${bytes(wanted)} and what this week carries of it`,
        ["From", "To", "Demand", "Circuit", "Carries", "Served"],
        largest
          .slice(0, MOST_PAIRS)
          .map((pair) => [
            pair.from,
            pair.to,
            bytes(pair.demand),
            millis(pair.circuitNs / 1e6),
            bytes(pair.carried),
            pair.demand > 0 ? percent(Math.min(1, pair.carried / pair.demand), 0) : "–",
          ]),
        { onRow: (i) => void this.showQueues(largest[i].from) },
      ),
      largest.length > MOST_PAIRS &&
        h("p", { class: "hint" }, `${largest.length - MOST_PAIRS} pairs with less are not shown.`),
    );
  }

  private async showQueues(host: string): Promise<void> {
    try {
      const { queues } = await api.get<{ queues: api.SddQueue[] }>(
        `sdd/queues?host=${encodeURIComponent(host)}`,
      );
      fill(
        this.queues,
        table(
          `Queues of ${host}, read now`,
          ["Queue", "To", "Queued", "Sent", "By packet switch", "Dropped"],
          queues.map((queue) => [
            queue.queue,
            queue.to ?? queue.class ?? "others",
            bytes(queue.queuedBytes),
            bytes(queue.sentBytes),
            bytes(queue.packetSwitchBytes),
            queue.droppedPackets,
          ]),
        ),
        button("Close", () => fill(this.queues), { class: "quiet" }),
      );
    } catch (error) {
      fill(this.queues, h("p", { class: "error" }, (error as Error).message));
    }
  }
}

function headOf(
  status: api.SddStatus,
  schedule: api.SddSchedule,
  wanted: number,
  served: number,
): Child[] {
  return [
    h(
      "div",
      { class: "cards" },
      card(
        "Hosts connected",
        `${status.connected} of ${status.hosts}`,
        status.connected < status.hosts,
      ),
      card(
        "Circuit switch",
        status.circuitSwitch ? "connected" : "not connected",
        !status.circuitSwitch,
      ),
      card("Demand served this week", wanted > 0 ? percent(served / wanted, 0) : "no demand"),
      card("Late weeks · days", `${status.lateWeeks} · ${status.lateDays}`),
    ),
    facts([
      [
        "Scheduler",
        `${status.scheduler}${status.order ? `, ${status.order}` : ""}, ${status.loop} loop`,
      ],
      [
        "Week",
        `${schedule.period < 0 ? "none" : schedule.period}: ${millis(status.periodNs / 1e6)} with ${count(schedule.days.length, "day")}, nights of ${millis(schedule.nightNs / 1e6)}`,
      ],
      ["Circuit", rate(status.circuitBps)],
      [
        "Planned in",
        `${millis(status.lastPlanNs / 1e6)}, at most ${millis(status.longestPlanNs / 1e6)}`,
      ],
      [
        "Late pairs",
        status.latePairs > 0
          ? `${status.latePairs}, of which ${status.secondChances} got time again and ${status.lostPairs} did not`
          : "none",
      ],
    ]),
  ];
}

function pairsOf(status: api.SddStatus, schedule: api.SddSchedule, demand: api.SddDemand): Pair[] {
  const pairs = new Map<string, Pair>();
  const at = (from: string, to: string) => {
    const key = `${from}\n${to}`;
    const pair = pairs.get(key) ?? { from, to, demand: 0, carried: 0, circuitNs: 0 };
    pairs.set(key, pair);
    return pair;
  };
  for (const { from, to, bytes: waiting } of demand.demand) {
    at(from, to).demand += waiting;
  }
  for (const day of schedule.days) {
    for (const { from, to } of day.circuits) {
      const pair = at(from, to);
      pair.circuitNs += day.durationNs;
      pair.carried += (day.durationNs * status.circuitBps) / BITS;
    }
  }
  return [...pairs.values()];
}

function matrixOf(names: string[], pairs: Pair[]): Matrix {
  const indexOf = new Map(names.map((name, i) => [name, i]));
  const values = names.map(() => names.map(() => 0));
  for (const { from, to, demand } of pairs) {
    values[indexOf.get(from)!][indexOf.get(to)!] += demand;
  }
  return { rows: names, columns: names, values };
}
