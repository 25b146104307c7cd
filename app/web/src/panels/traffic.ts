/** The traffic matrix between switches with hosts, as measured or as planned for. */

import type { Demand, Traffic } from "../api";
import { fill, h, table } from "../dom";
import { byName, percent, rate } from "../format";
import { HeatMap, type Matrix } from "../heatmap";
import type { Context, Panel } from "./context";

const MOST_ROWS = 25;
/** Readings that are older than so many periods are no measurement of now. */
const STALE_PERIODS = 3;

export class TrafficPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Traffic matrix" } });
  private readonly which = h(
    "select",
    { attrs: { "aria-label": "Matrix" }, on: { change: () => this.fill() } },
    h("option", { attrs: { value: "measured" } }, "As measured"),
    h("option", { attrs: { value: "planned" } }, "As planned for"),
  );
  private readonly summary = h("div");
  private readonly age = h("p", { class: "age" });
  private readonly map = new HeatMap({
    label: "Traffic matrix, from the switch of the row to the switch of the column",
    text: rate,
    detail: (row) => this.ageOf(row),
    choose: (from, to) => this.showPair(from, to),
  });
  private readonly list = h("div");
  private readonly body = h("div", {}, this.age, this.map.element, this.list);
  private context?: Context;
  private shown = "";

  constructor() {
    this.element.append(
      h("div", { class: "heading" }, h("h2", {}, "Traffic"), this.which),
      this.summary,
      this.body,
    );
  }

  show(context: Context): void {
    this.context = context;
    this.fill();
  }

  private fill(): void {
    const context = this.context;
    const traffic = context?.state.traffic;
    if (!context || !traffic) {
      return;
    }
    this.which.hidden = !traffic.planned;
    if (!traffic.planned) {
      this.which.value = "measured";
    }
    const isPlanned = this.which.value === "planned";
    this.body.hidden = !traffic.enabled;
    this.showAge(traffic, isPlanned);
    const key = JSON.stringify([traffic, isPlanned, context.fabric.switches.size]);
    if (key !== this.shown) {
      this.shown = key;
      fill(this.summary, ...summary(traffic));
      const demands = bySwitches(
        context,
        isPlanned ? traffic.planned!.demands : (traffic.demands ?? []),
      );
      this.map.show(matrixOf(context, demands));
      this.showLargest(demands);
    }
  }

  /** It grows between two answers of the controller. */
  private showAge(traffic: Traffic, isPlanned: boolean): void {
    const ages = (traffic.switches ?? []).map((each) => this.ageNow(each.ageSeconds));
    const limit = STALE_PERIODS * (traffic.periodSeconds ?? 10);
    const stale = (traffic.switches ?? []).filter((each) => each.ageSeconds > limit);
    fill(
      this.age,
      isPlanned
        ? "What the weights are computed for."
        : ages.length === 0
          ? "No switch was read yet."
          : `The oldest reading is ${seconds(Math.max(...ages))} old, the newest ${seconds(Math.min(...ages))}; rates are smoothed over ${traffic.timeConstantSeconds} s.`,
      stale.length > 0 &&
        !isPlanned &&
        h(
          "span",
          { class: "error" },
          ` Not read for long: ${stale
            .map((each) => each.switch)
            .sort(byName)
            .slice(0, 5)
            .join(", ")}${stale.length > 5 ? ` and ${stale.length - 5} more` : ""}.`,
        ),
    );
  }

  private ageNow(ageSeconds: number): number {
    const readAt = this.context?.state.trafficReadAt ?? 0;
    return ageSeconds + Math.max(0, Date.now() - readAt) / 1000;
  }

  private ageOf(row: string): string {
    const found = this.context?.state.traffic?.switches?.find((each) => each.switch === row);
    return this.which.value === "planned"
      ? ""
      : found
        ? `read ${seconds(this.ageNow(found.ageSeconds))} ago`
        : "";
  }

  /** Only switches have paths: not prefixes, nor cells of several switches. */
  private showPair(from: string, to: string): void {
    const switches = this.context?.fabric.switches;
    if (from !== to && switches?.has(from) && switches.has(to)) {
      this.context?.showPair(from, to);
    }
  }

  private showLargest(demands: Demand[]): void {
    const largest = [...demands].sort((a, b) => b.bps - a.bps).slice(0, MOST_ROWS);
    const sum = demands.reduce((total, demand) => total + demand.bps, 0);
    fill(
      this.list,
      largest.length === 0
        ? h("p", { class: "hint" }, "No traffic between switches with hosts.")
        : table(
            `Largest demands of ${rate(sum)}`,
            ["From", "To", "Rate", "Share"],
            largest.map((demand) => [
              demand.from,
              demand.to,
              rate(demand.bps),
              percent(demand.bps / sum),
            ]),
            { onRow: (i) => this.showPair(largest[i].from, largest[i].to) },
          ),
    );
  }
}

function summary(traffic: Traffic) {
  if (!traffic.enabled) {
    return [
      h(
        "p",
        { class: "hint" },
        "Traffic is not measured. Enable it in the configuration: ",
        h("code", {}, '{"traffic": {"enabled": true}}'),
      ),
    ];
  }
  const planned = traffic.planned;
  return planned
    ? [
        h(
          "p",
          { class: "hint" },
          `Highest planned use of a link: ${percent(planned.maxUtilisation)}; with wcmp ${percent(planned.maxUtilisationOfWcmp)}. Slots that still have to change: ${planned.churnLeftPercent.toFixed(1)} %.`,
        ),
      ]
    : [];
}

/** Demands to prefixes as demands to the switches that have them; others keep the prefix. */
function bySwitches(context: Context, demands: Demand[]): Demand[] {
  const switchOf = new Map<string, string>();
  context.fabric.switches.forEach(({ id, prefixes }) =>
    prefixes.forEach((prefix) => switchOf.set(prefix, id)),
  );
  const sums = new Map<string, Demand>();
  for (const { from, to, bps } of demands) {
    const target = switchOf.get(to) ?? to;
    const key = `${from} ${target}`;
    const sum = sums.get(key) ?? { from, to: target, bps: 0 };
    sum.bps += bps;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function matrixOf(context: Context, demands: Demand[]): Matrix {
  const edge = [...context.fabric.switches.values()]
    .filter((each) => each.prefixes.length > 0)
    .map((each) => each.id);
  const rows = [...new Set([...edge, ...demands.map((demand) => demand.from)])].sort(byName);
  const columns = [...new Set([...edge, ...demands.map((demand) => demand.to)])].sort(byName);
  const rowOf = new Map(rows.map((name, i) => [name, i]));
  const columnOf = new Map(columns.map((name, i) => [name, i]));
  const values = rows.map(() => columns.map(() => 0));
  for (const { from, to, bps } of demands) {
    values[rowOf.get(from)!][columnOf.get(to)!] += bps;
  }
  return { rows, columns, values };
}

const seconds = (value: number) =>
  value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
