/** The operator's page: one store, a drawing of the fabric, and panels. */

import { button, fill, h } from "./dom";
import { shown } from "./fabric";
import { byName } from "./format";
import { CircuitsPanel } from "./panels/circuits";
import { EdgesPanel } from "./panels/edges";
import { ExclusionsPanel } from "./panels/exclusions";
import type { Context, Panel } from "./panels/context";
import { HostsPanel } from "./panels/hosts";
import { PairPanel } from "./panels/pair";
import { StatusBar } from "./panels/status";
import { StripingPanel } from "./panels/striping";
import { SwitchPanel } from "./panels/switch";
import { TrafficPanel } from "./panels/traffic";
import { Timeline } from "./panels/timeline";
import { WhatIfPanel } from "./panels/whatif";
import { asOf } from "./replay";
import { onTheme, ramp, SCALES, type Measure } from "./scale";
import { Store } from "./store";
import { Tabs } from "./tabs";
import { TopologyView, type Selection } from "./topology/view";

const store = new Store();
let selection: Selection;
let measure: Measure = "oversubscription";
let marked = new Map<string, number>();

const status = new StatusBar();
const message = h("div", { class: "message", attrs: { role: "alert" } });
const drawing = h("div", {
  class: "drawing",
  attrs: {
    tabindex: 0,
    role: "application",
    "aria-label":
      "Drawing of the topology. Arrow keys move it, plus and minus zoom, 0 shows all. Search finds switches and links by name.",
  },
});
const legend = h("div", { class: "scale" });
const banner = h("div", { class: "banner", attrs: { role: "status" } });
const selected = new SwitchPanel();
const whatIf = new WhatIfPanel();
const pair = new PairPanel();
const tabs = new Tabs(
  [
    ["Selection", selected],
    ["Pair", pair],
    ["Hosts", new HostsPanel()],
    ["Out of service", new ExclusionsPanel()],
    ["What if", whatIf],
    ["Traffic", new TrafficPanel()],
    ["Circuits", new CircuitsPanel()],
    ["Edge hosts", new EdgesPanel()],
    ["Striping", new StripingPanel()],
  ],
  () => {
    marked = new Map();
    update();
  },
);
const timeline = new Timeline(() => update());
const fold = button("Fold pods", () => view.foldAll(), { class: "quiet" });

const names = h("datalist", { attrs: { id: "names" } });
const search = h("input", {
  attrs: {
    type: "search",
    list: "names",
    placeholder: "Search  ( / )",
    "aria-label": "Search a switch, link or host",
  },
  on: { change: () => find(search.value.trim()) },
});
const measures = h(
  "select",
  {
    attrs: { "aria-label": "Colour links by" },
    on: {
      change: () => {
        measure = measures.value as Measure;
        update();
      },
    },
  },
  h("option", { attrs: { value: "oversubscription" } }, "Oversubscription"),
  h("option", { attrs: { value: "utilisation" } }, "Utilisation"),
);

document.body.append(
  h(
    "header",
    { class: "top" },
    h("h1", {}, "Evenweave"),
    status.element,
    h("div", { class: "search", attrs: { role: "search" } }, search, names),
  ),
  message,
  h(
    "main",
    {},
    h(
      "div",
      { class: "stage" },
      banner,
      drawing,
      h(
        "div",
        { class: "tools" },
        h("label", {}, "Colour links by ", measures),
        legend,
        h(
          "span",
          { class: "zoom" },
          fold,
          button("+", () => view.zoom(1.25), { attrs: { "aria-label": "Zoom in" } }),
          button("−", () => view.zoom(0.8), { attrs: { "aria-label": "Zoom out" } }),
          button("Fit", () => view.fit()),
        ),
      ),
    ),
    tabs.element,
  ),
  timeline.element,
);

const view = new TopologyView(drawing, (chosen) => {
  selection = chosen;
  if (chosen) {
    tabs.open("Selection");
  }
  update();
});

function context(): Context {
  return {
    state: store.state,
    fabric: shown(store.state),
    get selection() {
      return selection;
    },
    select(chosen) {
      selection = chosen;
      tabs.open("Selection");
      if (chosen?.kind === "switch") {
        view.reveal(chosen.id);
      }
      update();
    },
    mark(links) {
      marked = links;
      update();
    },
    act(what, change) {
      change().then(
        () => {
          fill(message);
          void store.refresh();
        },
        (error: Error) =>
          fill(
            message,
            `Could not ${what}: ${error.message}`,
            button("Close", () => fill(message), { class: "quiet" }),
          ),
      );
    },
    showPair(from, to) {
      tabs.open("Pair");
      pair.choose(from, to);
    },
    suppose(change) {
      tabs.open("What if");
      whatIf.suppose(change);
    },
  };
}

let queued = false;

/** Draws the present state with the next frame, however often it is called before. */
function update(): void {
  if (!queued) {
    queued = true;
    requestAnimationFrame(() => {
      queued = false;
      draw();
    });
  }
}

function draw(): void {
  const now = context();
  const moment = timeline.moment;
  const fabric = moment === undefined ? now.fabric : asOf(now.fabric, store.state.events, moment);
  status.show(store.state);
  timeline.show(store.state);
  view.draw({
    fabric,
    use: store.state.use,
    linkUse: store.state.linkUse,
    measure,
    marked,
    selection,
  });
  fold.hidden = view.opened === 0;
  banner.textContent =
    moment === undefined
      ? ""
      : "Replay: links and switches as they were. Colours and panels are of now.";
  tabs.panels.forEach((panel: Panel) => panel.show(now));
  showNames(now);
  showScale();
}

let offered = "";

function showNames(now: Context): void {
  const all = [...now.fabric.switches.keys()].sort(byName).slice(0, 2000);
  const key = all.join();
  if (key !== offered) {
    offered = key;
    fill(names, ...all.map((id) => h("option", { attrs: { value: id } })));
  }
}

function find(text: string): void {
  const now = context();
  if (now.fabric.switches.has(text)) {
    now.select({ kind: "switch", id: text });
    return;
  }
  const link = [...now.fabric.links.values()].find(
    (each) => each.name === text || each.a === text || each.b === text,
  );
  const host = store.state.topology?.hosts.find((each) => each.address === text);
  if (link) {
    now.select({ kind: "link", name: link.name });
  } else if (host) {
    now.select({ kind: "switch", id: host.switch });
  } else if (text) {
    fill(
      message,
      `Nothing is called ${text}.`,
      button("Close", () => fill(message), { class: "quiet" }),
    );
  }
}

function showScale(): void {
  const scale = SCALES[measure];
  const isMeasured = [...store.state.linkUse.values()].some((use) => use.utilisation);
  const boxes = ramp().map((colour, i) => {
    const box = h("span", { class: "step" }, scale.ticks[i]);
    box.style.borderTopColor = colour;
    return box;
  });
  if (measure === "utilisation" && !isMeasured) {
    fill(legend, "Traffic is not measured.");
  } else {
    fill(
      legend,
      h("span", { class: "label" }, scale.label),
      h("span", { class: "steps" }, ...boxes),
    );
  }
}

document.addEventListener("keydown", (event) => {
  const inField = event.target instanceof HTMLElement && event.target.matches("input, select");
  if (event.key === "/" && !inField) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape") {
    selection = undefined;
    marked = new Map();
    update();
  }
});

store.onChange(update);
onTheme(update);
void store.start();
