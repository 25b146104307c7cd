/** How to wire S1 and S2 switches, and how to add some: the cables and the steps. */

import * as api from "../api";
import { button, fill, h, table, type Child } from "../dom";
import { count } from "../format";
import type { ShownFabric } from "../fabric";
import { HeatMap } from "../heatmap";
import type { Context, Panel } from "./context";
import { card } from "./parts";

const MOST_CABLES = 200;

export class StripingPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Striping" } });
  private readonly kind = h(
    "select",
    { attrs: { name: "kind" } },
    h("option", { attrs: { value: "group" } }, "group"),
    h("option", { attrs: { value: "rotation" } }, "rotation"),
  );
  private readonly numbers = {
    s1: numberInput(2),
    s2: numberInput(1),
    uplinks: numberInput(1),
    downlinks: numberInput(1),
  };
  private readonly grown = h(
    "select",
    { attrs: { name: "grown" } },
    h("option", { attrs: { value: "" } }, "nothing"),
    h("option", { attrs: { value: "addS2" } }, "S2 switches"),
    h("option", { attrs: { value: "addS1" } }, "S1 switches"),
  );
  private readonly added = numberInput(1);
  private readonly result = h("div", { attrs: { "aria-live": "polite" } });
  private isFilled = false;

  constructor() {
    this.added.value = "1";
    this.element.append(
      h("h2", {}, "Striping"),
      h(
        "p",
        { class: "hint" },
        "A plan of the links between S1 and S2 switches, computed by the controller from these numbers alone. Nothing is changed.",
      ),
      h(
        "form",
        {
          class: "striping",
          on: {
            submit: (event) => {
              event.preventDefault();
              void this.plan();
            },
          },
        },
        labelled("Kind", this.kind),
        labelled("S1 switches", this.numbers.s1),
        labelled("S2 switches", this.numbers.s2),
        labelled("Uplinks of an S1", this.numbers.uplinks),
        labelled("Downlinks of an S2", this.numbers.downlinks),
        labelled("Add later", this.grown),
        labelled("How many", this.added),
        h("button", { attrs: { type: "submit" } }, "Plan"),
      ),
      this.result,
    );
  }

  show(context: Context): void {
    const size = this.isFilled ? undefined : sizeOf(context.fabric);
    if (size) {
      this.isFilled = true;
      for (const [name, value] of Object.entries(size)) {
        this.numbers[name as keyof typeof this.numbers].value = String(value);
      }
    }
  }

  private async plan(): Promise<void> {
    const numbers = Object.fromEntries(
      Object.entries(this.numbers).map(([name, input]) => [name, Number(input.value)]),
    );
    const kind = this.kind.value;
    const added = this.grown.value ? { [this.grown.value]: Number(this.added.value) } : {};
    fill(this.result, h("p", { class: "hint" }, "The controller computes…"));
    try {
      const comparison = await api.send<api.Striping>("POST", "striping", {
        ...numbers,
        kind: "compare",
      });
      const plan = await api.send<api.Striping>("POST", "striping", {
        ...numbers,
        ...added,
        kind,
        cables: true,
      });
      fill(this.result, ...answerView(kind, comparison, plan));
    } catch (error) {
      fill(this.result, h("p", { class: "error" }, (error as Error).message));
    }
  }
}

function answerView(kind: string, comparison: api.Striping, plan: api.Striping): Child[] {
  return [
    table(
      "Links that a pair of S1 switches has in common",
      ["Kind", "Worst pair", "Mean", "Best pair", "Pairs with all uplinks"],
      (comparison.comparison ?? []).map((row) => [
        row.kind === kind ? h("b", {}, row.kind) : row.kind,
        row.throughput.min,
        row.throughput.mean.toFixed(2),
        row.throughput.max,
        row.fullThroughputPairs,
      ]),
    ),
    h("h3", {}, "Plan"),
    matrixOf("Links from the S1 switch of the row to the S2 switch of the column", plan.matrix!),
    cablesOf("Cables", plan.cables ?? []),
    ...(plan.expansion ? expansionView(plan.expansion) : []),
  ];
}

function expansionView(expansion: api.Expansion): Child[] {
  return [
    h("h3", {}, `Expansion to ${expansion.s1} S1 and ${expansion.s2} S2 switches`),
    h(
      "div",
      { class: "cards" },
      card("Cables that are moved or removed", String(expansion.cablesMoved)),
      card(
        "Common links: worst, mean, best pair",
        `${expansion.throughput.min} · ${expansion.throughput.mean.toFixed(2)} · ${expansion.throughput.max}`,
      ),
    ),
    h(
      "p",
      { class: "hint" },
      "Drain each link before its cable moves. Tick what is done; the ticks stay until the next plan.",
    ),
    stepsOf(expansion.steps),
    matrixOf("The same after the expansion", expansion.matrix),
    cablesOf("Cables after the expansion", expansion.cables ?? []),
  ];
}

function stepsOf(steps: string[]): HTMLElement {
  const done = h("span", { class: "detail" }, `0 of ${count(steps.length, "step")} done`);
  const list = h(
    "ol",
    {
      class: "steps-list",
      on: {
        change: () => {
          const ticked = list.querySelectorAll("input:checked").length;
          done.textContent = `${ticked} of ${count(steps.length, "step")} done`;
        },
      },
    },
    ...steps.map((step) =>
      h("li", {}, h("label", {}, h("input", { attrs: { type: "checkbox" } }), ` ${step}`)),
    ),
  );
  return h(
    "div",
    {},
    h(
      "div",
      { class: "heading" },
      h("h3", {}, "Steps"),
      done,
      button("Save as text", () => save("steps.txt", steps), { class: "quiet" }),
    ),
    list,
  );
}

function matrixOf(label: string, links: number[][]): HTMLElement {
  const map = new HeatMap({ label, text: (n) => count(n, "link"), counts: true });
  map.show({
    rows: links.map((_, i) => `s1-${i}`),
    columns: links[0].map((_, i) => `s2-${i}`),
    values: links,
  });
  return map.element;
}

function cablesOf(caption: string, cables: api.Cable[]): HTMLElement {
  const lines = ["S1 port,S2 port", ...cables.map(({ a, b }) => `${a},${b}`)];
  return h(
    "details",
    {},
    h("summary", {}, `${caption}: ${cables.length}`),
    button("Save as CSV", () => save("cables.csv", lines), { class: "quiet" }),
    table(
      caption,
      ["S1 port", "S2 port"],
      cables.slice(0, MOST_CABLES).map(({ a, b }) => [a, b]),
    ),
    cables.length > MOST_CABLES &&
      h("p", { class: "hint" }, `The first ${MOST_CABLES} are shown; the file has all.`),
  );
}

/** Offers lines as a file. */
function save(name: string, lines: string[]): void {
  const url = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/plain" }));
  h("a", { attrs: { href: url, download: name } }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The size of the first two stages, if the switches of each have equally many links. */
function sizeOf(fabric: ShownFabric) {
  const up = new Map<string, number>();
  const down = new Map<string, number>();
  const stage = (id: string) => fabric.switches.get(id)?.stage;
  for (const { id } of fabric.switches.values()) {
    if (stage(id) === 1) {
      up.set(id, 0);
    } else if (stage(id) === 2) {
      down.set(id, 0);
    }
  }
  for (const { from, to } of fabric.links.values()) {
    const [lower, upper] = stage(from) === 1 ? [from, to] : [to, from];
    if (up.has(lower) && down.has(upper)) {
      up.set(lower, up.get(lower)! + 1);
      down.set(upper, down.get(upper)! + 1);
    }
  }
  const [uplinks] = new Set(up.values());
  const [downlinks] = new Set(down.values());
  return up.size > 1 && down.size > 0 && uplinks > 0
    ? { s1: up.size, s2: down.size, uplinks, downlinks }
    : undefined;
}

function numberInput(min: number): HTMLInputElement {
  return h("input", { attrs: { type: "number", min, required: true } });
}

function labelled(text: string, field: HTMLElement): HTMLElement {
  return h("label", {}, text, field);
}
