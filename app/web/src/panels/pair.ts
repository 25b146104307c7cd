/** A pair of switches: its paths, wanted, installed, realised and measured. */

import * as api from "../api";
import { button, fill, h, table } from "../dom";
import { linkText } from "../fabric";
import { byName, percent, rate } from "../format";
import type { Context, Panel } from "./context";

interface Answer {
  from: string;
  to: string;
  paths: api.PathRow[];
  complete: boolean;
}

export class PairPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Pair of switches" } });
  private readonly from = chooser("From");
  private readonly to = chooser("To");
  private readonly result = h("div", { attrs: { "aria-live": "polite" } });
  private context?: Context;
  private shown = "";
  private options = "";
  private asked = false;

  constructor() {
    const show = () => {
      this.asked = true;
      this.shown = "";
      this.ask();
    };
    this.element.append(
      h("h2", {}, "Pair"),
      h(
        "form",
        {
          class: "pair",
          on: {
            submit: (event) => {
              event.preventDefault();
              show();
            },
          },
        },
        this.from.label,
        this.to.label,
        h("button", { attrs: { type: "submit" } }, "Show paths"),
        button(
          "Clear",
          () => {
            this.asked = false;
            fill(this.result);
            this.context?.mark(new Map());
          },
          { class: "quiet" },
        ),
      ),
      this.result,
    );
  }

  /** Shows the paths between two switches, as if an operator had chosen them. */
  choose(from: string, to: string): void {
    this.from.choose(from);
    this.to.choose(to);
    this.asked = true;
    this.shown = "";
    this.ask();
  }

  show(context: Context): void {
    this.context = context;
    const ids = [...context.fabric.switches.values()]
      .filter((each) => each.prefixes.length > 0)
      .map((each) => each.id)
      .sort(byName);
    if (ids.join() !== this.options) {
      this.options = ids.join();
      this.from.offer(ids, 0);
      this.to.offer(ids, ids.length - 1);
    }
    this.ask();
  }

  private ask(): void {
    const context = this.context;
    const key = `${this.from.value()} ${this.to.value()} ${JSON.stringify(context?.state.status)}`;
    if (this.asked && context && key !== this.shown) {
      this.shown = key;
      void this.read(context);
    }
  }

  private async read(context: Context): Promise<void> {
    const [from, to] = [this.from.value(), this.to.value()];
    try {
      const [paths, groups] = await Promise.all([
        api.get<Answer>(
          `paths?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&limit=200`,
        ),
        api.get<{ groups: api.Group[] }>(`groups?switch=${encodeURIComponent(from)}&limit=5000`),
      ]);
      this.fill(context, paths, groups.groups);
    } catch (error) {
      fill(this.result, h("p", { class: "error" }, (error as Error).message));
    }
  }

  private fill(context: Context, answer: Answer, groups: api.Group[]): void {
    const marks = new Map<string, number>();
    for (const path of answer.paths) {
      for (const link of path.links) {
        const name = inOrder(context, link);
        marks.set(name, Math.min(1, (marks.get(name) ?? 0) + path.realisedShare));
      }
    }
    if (!this.element.parentElement?.hidden) {
      context.mark(marks);
    }
    const own = groups.filter((group) => group.destination === answer.to);
    const group =
      own.find((each) => each.source === answer.from) ?? own.find((each) => !each.source);
    fill(
      this.result,
      group
        ? table(
            `First hop of ${answer.from} to ${answer.to}`,
            ["Port", "Via", "Wanted", "Planned", "Installed", "Realised"],
            group.ports.map((port) => [
              port.port,
              port.via,
              port.wanted,
              port.slots,
              port.installed,
              group.leftOut?.some((each) => each.port === port.port)
                ? "left out"
                : percent(port.realisedShare),
            ]),
          )
        : h(
            "p",
            { class: "hint" },
            `${answer.from} has one next hop to ${answer.to}, and no group.`,
          ),
      h("p", { class: "measured" }, measured(context, answer)),
      table(
        `${answer.complete ? "All" : "The first"} ${answer.paths.length} paths`,
        ["Path", "Ideal", "Realised"],
        answer.paths.map((path) => [
          h("span", { class: "path" }, path.links.map(linkText).join(", ")),
          percent(path.idealShare),
          path.leftOut ? "left out" : percent(path.realisedShare),
        ]),
        {
          onRow: (i) =>
            context.mark(
              new Map(answer.paths[i].links.map((link) => [inOrder(context, link), 0.4])),
            ),
        },
      ),
    );
  }
}

/** Paths name links in the direction of the traffic, the topology by the lesser end. */
function inOrder(context: Context, link: string): string {
  if (context.fabric.links.has(link)) {
    return link;
  }
  const ends = /^(.*\/\d+)-(.*\/\d+)$/.exec(link);
  return ends ? `${ends[2]}-${ends[1]}` : link;
}

function measured(context: Context, answer: Answer): string {
  const traffic = context.state.traffic;
  if (!traffic?.enabled) {
    return "Traffic is not measured (enable it in the configuration).";
  }
  const prefixes = new Set(context.fabric.switches.get(answer.to)?.prefixes);
  const bps = (traffic.demands ?? [])
    .filter((demand) => demand.from === answer.from && prefixes.has(demand.to))
    .reduce((sum, demand) => sum + demand.bps, 0);
  const age = traffic.switches?.find((each) => each.switch === answer.from)?.ageSeconds;
  return `Measured: ${rate(bps)}${age === undefined ? "" : `, ${age} s ago`}.`;
}

function chooser(name: string) {
  const select = h("select", { attrs: { name: name.toLowerCase() } });
  return {
    label: h("label", {}, `${name} `, select),
    value: () => select.value,
    choose(id: string) {
      select.value = id;
    },
    offer(ids: string[], first: number) {
      const before = select.value;
      fill(select, ...ids.map((id) => h("option", { attrs: { value: id } }, id)));
      select.value = ids.includes(before) ? before : (ids[first] ?? "");
    },
  };
}
