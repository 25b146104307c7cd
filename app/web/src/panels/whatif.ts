/** What would follow from changes that the operator supposes. Nothing is changed. */

import * as api from "../api";
import { button, fill, h, table, type Child } from "../dom";
import { linkText } from "../fabric";
import { count, percent, rate, ratio } from "../format";
import type { Context, Panel, Supposed } from "./context";
import { card } from "./parts";

/** Failures in one request: a row appears within a second. */
const PAGE = 100;

export class WhatIfPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "What if" } });
  private readonly changes: Supposed[] = [];
  private readonly list = h("div");
  private readonly result = h("div", { attrs: { "aria-live": "polite" } });
  private readonly failures = h("div");
  private context?: Context;
  private run = 0;

  constructor() {
    this.element.append(
      h("h2", {}, "What if"),
      h(
        "p",
        { class: "hint" },
        "Computed by the controller on a copy: the network stays as it is. Add changes from the panel of a switch or link.",
      ),
      this.list,
      h(
        "div",
        { class: "actions" },
        button("Compute", () => void this.compute()),
        button("Every single failure", () => void this.everyFailure()),
        button("Clear", () => this.clear(), { class: "quiet" }),
      ),
      this.result,
      this.failures,
    );
    this.showChanges();
  }

  show(context: Context): void {
    this.context = context;
  }

  /** Adds a change, unless it is there. */
  suppose(change: Supposed): void {
    const text = JSON.stringify(change);
    if (!this.changes.some((each) => JSON.stringify(each) === text)) {
      this.changes.push(change);
    }
    this.showChanges();
    this.markChanges();
    void this.compute();
  }

  private markChanges(): void {
    const links = [...(this.context?.fabric.links.values() ?? [])].filter((link) =>
      this.changes.some((change) =>
        change.kind === "switch"
          ? link.from === change.id || link.to === change.id
          : change.kind === "link"
            ? link.name === change.name
            : link.a === change.a && link.b === change.b,
      ),
    );
    this.context?.mark(new Map(links.map((link) => [link.name, 0.4])));
  }

  private clear(): void {
    this.run++;
    this.changes.length = 0;
    fill(this.result);
    fill(this.failures);
    this.showChanges();
    this.context?.mark(new Map());
  }

  private showChanges(): void {
    fill(
      this.list,
      this.changes.length === 0
        ? h("p", { class: "none" }, "No change: the network as it is.")
        : h("ul", { class: "items" }, ...this.changes.map((change) => this.item(change))),
    );
  }

  private item(change: Supposed): HTMLElement {
    const remove = button(
      "Remove",
      () => {
        this.changes.splice(this.changes.indexOf(change), 1);
        this.showChanges();
      },
      { class: "quiet", attrs: { "aria-label": `Remove: ${textOf(change)}` } },
    );
    if (change.kind !== "speed" && change.kind !== "added") {
      return h("li", {}, h("span", {}, textOf(change)), remove);
    }
    const speed = h("input", {
      attrs: {
        type: "number",
        min: 0.001,
        step: "any",
        value: change.bps / 1e9,
        "aria-label": `Gb/s of ${textOf(change)}`,
      },
      on: {
        change: () => {
          change.bps = Math.max(1, Math.round(Number(speed.value) * 1e9));
        },
      },
    });
    return h("li", {}, h("span", {}, textOf(change)), h("span", {}, speed, " Gb/s"), remove);
  }

  private request(): api.Supposition {
    const request: api.Supposition = { exclude: { switches: [], links: [] }, links: [] };
    for (const change of this.changes) {
      if (change.kind === "switch") {
        request.exclude.switches.push(change.id);
      } else if (change.kind === "link") {
        request.exclude.links.push(change.end);
      } else {
        request.links.push({ a: change.a, b: change.b, bps: change.bps });
      }
    }
    return request;
  }

  private async compute(): Promise<void> {
    const run = ++this.run;
    fill(this.result, h("p", { class: "hint" }, "The controller computes…"));
    fill(this.failures);
    try {
      const answer = await api.send<api.WhatIf>("POST", "what-if", this.request());
      if (run === this.run) {
        fill(this.result, ...answerView(answer));
      }
    } catch (error) {
      fill(this.result, h("p", { class: "error" }, (error as Error).message));
    }
  }

  private async everyFailure(): Promise<void> {
    const run = ++this.run;
    const rows: api.Failure[] = [];
    let offset: number | undefined = 0;
    fill(this.failures, h("p", { class: "hint" }, "The controller computes…"));
    try {
      while (offset !== undefined && run === this.run) {
        const request = { ...this.request(), everyFailure: true, offset, limit: PAGE };
        const answer: api.WhatIf = await api.send("POST", "what-if", request);
        if (!answer.failures) {
          throw new Error(answer.problem ?? "the fabric is too large for it");
        }
        rows.push(...answer.failures.rows);
        offset = answer.failures.next;
        if (run === this.run) {
          this.showFailures(rows, answer.failures.total);
        }
      }
    } catch (error) {
      fill(this.failures, h("p", { class: "error" }, (error as Error).message));
    }
  }

  private showFailures(rows: api.Failure[], total: number): void {
    const worstFirst = [...rows].sort((a, b) => badness(b) - badness(a));
    fill(
      this.failures,
      table(
        `${rows.length} of ${total} single failures, the worst first`,
        ["Failure", "Worst pair", "Keeps", "Slower", "Cut", "Fullest table"],
        worstFirst
          .slice(0, 300)
          .map((row) => [
            linkText(row.failed),
            row.problem ?? (row.worst ? `${row.worst.from} → ${row.worst.to}` : "none"),
            row.worst ? percent(row.worst.afterBps / row.worst.beforeBps, 0) : "–",
            row.slowerPairs ?? 0,
            row.cutPairs ?? 0,
            row.fullest ? entriesOf(row.fullest) : "–",
          ]),
        { onRow: (i) => this.chosen(worstFirst[i]) },
      ),
    );
  }

  private chosen(row: api.Failure): void {
    const context = this.context;
    if (context) {
      const links = [...context.fabric.links.values()].filter((link) =>
        row.kind === "link"
          ? link.name === row.failed
          : link.from === row.failed || link.to === row.failed,
      );
      context.mark(new Map(links.map((link) => [link.name, 0.6])));
    }
  }
}

const badness = (row: api.Failure) =>
  row.problem
    ? Infinity
    : 1e6 * row.cutPairs + (row.worst ? 1 - row.worst.afterBps / row.worst.beforeBps : 0);

const entriesOf = (fullest: api.Failure["fullest"]) =>
  `${fullest.switch}: ${fullest.entries}${fullest.table ? ` of ${fullest.table}` : ""}`;

function textOf(change: Supposed): string {
  switch (change.kind) {
    case "switch":
      return `${change.id} is drained`;
    case "link":
      return `${linkText(change.name)} is drained`;
    case "speed":
      return `${change.a} – ${change.b} has the speed`;
    case "added":
      return `new link ${change.a} – ${change.b}`;
  }
}

function answerView(answer: api.WhatIf): Child[] {
  const problem = answer.problem && h("p", { class: "error" }, answer.problem);
  if (!answer.plan || !answer.oversubscription) {
    return [problem];
  }
  const { before, after } = answer.oversubscription;
  return [
    problem,
    h(
      "div",
      { class: "cards" },
      card("Oversubscription", `${ratio(before)} → ${ratio(after)}`),
      card("Pairs slower or faster", String(answer.pairsChanged ?? 0)),
      card("Pairs cut off", String(answer.cutPairs ?? 0), (answer.cutPairs ?? 0) > 0),
      card("Plan", count(answer.plan.rounds.length, "round")),
    ),
    groupTable(answer),
    (answer.pairs ?? []).length > 0 &&
      table(
        "Throughput of pairs, the largest loss first",
        ["From", "To", "Now", "Then"],
        answer
          .pairs!.slice(0, 100)
          .map((pair) => [
            pair.from,
            pair.to,
            rate(pair.beforeBps),
            pair.afterBps === 0 ? "no path" : rate(pair.afterBps),
          ]),
      ),
    (answer.switches ?? []).length > 0 &&
      table(
        "Tables that change",
        ["Switch", "Entries", "Limit", "Oversubscription"],
        answer
          .switches!.slice(0, 100)
          .map((row) => [
            row.switch,
            `${row.entries.before} → ${row.entries.after}`,
            row.table ?? "none",
            `${ratio(row.oversubscription.before)} → ${ratio(row.oversubscription.after)}`,
          ]),
      ),
    answer.plan.rounds.length > 0 &&
      table(
        "Rounds of the plan",
        ["Round", "Switches", "Groups", "Rules"],
        answer.plan.rounds.map((round, i) => [
          round.waits ? `${i + 1}, after settling` : `${i + 1}`,
          round.switches.length > 4
            ? `${round.switches.slice(0, 3).join(", ")} and ${round.switches.length - 3} more`
            : round.switches.join(", "),
          operations(round.groups),
          operations({ ...round.flows }),
        ]),
      ),
  ];
}

function groupTable(answer: api.WhatIf): Child {
  const groups = answer.groups ?? [];
  if (groups.length === 0) {
    return h("p", { class: "none" }, "No weights change.");
  }
  const rows = groups
    .slice(0, 60)
    .map((group) => [
      group.switch,
      group.source ? `${group.source} → ${group.destination}` : group.destination,
      slots(group.ports.map((port) => [port.port, port.before?.slots])),
      slots(group.ports.map((port) => [port.port, port.after?.slots])),
    ]);
  return table(
    `${answer.groupRowsChanged} groups with other weights (port:slots)`,
    ["Switch", "To", "Now", "Then"],
    rows,
  );
}

const slots = (ports: [number, number | undefined][]) => {
  const there = ports.filter(([, n]) => n !== undefined);
  return there.length === 0 ? "no group" : there.map(([port, n]) => `${port}:${n}`).join(" ");
};

const operations = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ") || "–";
