/** The drawing of the topology. */

import cytoscape from "cytoscape";
import type { ShownFabric, ShownLink } from "../fabric";
import { isDark, colourOf, colourOfState, onTheme, type Measure } from "../scale";
import { Viewport } from "./viewport";
import { layOut, type Bundle, type Layout, type Place } from "./layout";
import type { LinkUse, SwitchUse } from "../api";

export type Selection =
  | { kind: "switch"; id: string }
  | { kind: "link"; name: string }
  | { kind: "bundle"; id: string; links: string[] }
  | undefined;

export interface Drawn {
  fabric: ShownFabric;
  use: Map<string, SwitchUse>;
  linkUse: Map<string, LinkUse>;
  measure: Measure;
  /** Links that a path or a what-if concerns, with a weight from 0 to 1; empty for none. */
  marked: Map<string, number>;
  selection: Selection;
}

const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

export class TopologyView {
  private readonly cy: cytoscape.Core;
  private readonly viewport: Viewport;
  private readonly open = new Set<string>();
  private layout: Layout = { places: [], bundles: [], pods: new Map() };
  private drawn?: Drawn;
  private shape = "";
  /** Whether what is unfolded differs from what is drawn. */
  private isUnfolded = false;

  /**
   * @param container gets the drawing; receives the keys
   * @param select is told of what the operator chooses
   */
  constructor(
    container: HTMLElement,
    private readonly select: (selection: Selection) => void,
  ) {
    this.cy = cytoscape({
      container,
      autoungrabify: true,
      boxSelectionEnabled: false,
      selectionType: "single",
      // The viewport moves and zooms.
      userPanningEnabled: false,
      userZoomingEnabled: false,
      minZoom: 0.05,
      maxZoom: 4,
      style: style(),
    });
    this.viewport = new Viewport(this.cy, container);
    this.cy.on("tap", (event) => this.tapped(event));
    onTheme(() => {
      this.cy.style(style());
      this.paint();
    });
    container.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      this.cy.resize();
      this.fit();
    }).observe(container);
  }

  /** Shows a state; what stands where it stood is not drawn anew, nor what is drawn already. */
  draw(drawn: Drawn): void {
    const before = this.drawn;
    this.drawn = drawn;
    const names = Object.keys(drawn) as (keyof Drawn)[];
    if (before && names.every((name) => drawn[name] === before[name]) && !this.isUnfolded) {
      return;
    }
    this.isUnfolded = false;
    const shape = [
      [...drawn.fabric.switches.keys()].join(),
      [...drawn.fabric.links.keys()].join(),
      [...this.open].join(),
    ].join("|");
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(drawn.fabric);
    }
    this.paint();
  }

  /** Shows all of it. */
  fit(): void {
    this.viewport.settle();
    this.cy.fit(undefined, 46);
    if (this.cy.zoom() > 1.35) {
      this.cy.zoom(1.35);
      this.cy.center();
    }
  }

  /** Brings a switch into view; unfolds its pod. */
  reveal(id: string): void {
    this.layout.pods.forEach((members, pod) => {
      if (members.includes(id) && this.layout.places.some((p) => p.id === pod && p.folded)) {
        this.open.add(pod);
      }
    });
    this.redraw();
    this.viewport.settle();
    const node = this.cy.$id(id);
    const { x1, x2, y1, y2 } = this.cy.extent();
    const at = node.nonempty() ? node.position() : undefined;
    if (at && (at.x < x1 || at.x > x2 || at.y < y1 || at.y > y2)) {
      this.cy.animate({ center: { eles: node }, duration: 200 });
    }
  }

  /** Folds all pods again. */
  foldAll(): void {
    this.open.clear();
    this.redraw();
    this.fit();
  }

  /** The pods that are shown with their switches. */
  get opened(): number {
    return this.open.size;
  }

  private redraw(): void {
    this.isUnfolded = true;
    if (this.drawn) {
      this.draw(this.drawn);
    }
  }

  private build(fabric: ShownFabric): void {
    this.layout = layOut(fabric, this.open);
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add([
        ...this.layout.places.map((place) => ({
          group: "nodes" as const,
          data: { id: place.id, label: place.label },
          position: { x: place.x, y: place.y },
          classes: place.folded ? "pod" : "",
        })),
        ...this.layout.bundles.map((bundle) => ({
          group: "edges" as const,
          data: {
            id: bundle.id,
            source: bundle.from,
            target: bundle.to,
            colour: "#888888",
            width: widthOf(bundle),
            mark: 0,
          },
        })),
      ]);
    });
    this.fit();
  }

  private paint(): void {
    const drawn = this.drawn;
    if (!drawn) {
      return;
    }
    const selected = drawn.selection;
    this.cy.batch(() => {
      for (const place of this.layout.places) {
        const node = this.cy.$id(place.id);
        node.toggleClass("missing", isMissing(drawn, place));
        node.toggleClass(
          "excluded",
          place.members.some((id) => isExcluded(drawn, id)),
        );
        node.toggleClass(
          "chosen",
          selected?.kind === "switch" && place.members.includes(selected.id),
        );
      }
      for (const bundle of this.layout.bundles) {
        this.paintBundle(drawn, bundle);
      }
    });
  }

  private paintBundle(drawn: Drawn, bundle: Bundle): void {
    const edge = this.cy.$id(bundle.id);
    // The layout has them as they were when it was made.
    const links = bundle.links.map((link) => drawn.fabric.links.get(link.name) ?? link);
    const worst = links.reduce((a, b) => (rank(drawn, b) > rank(drawn, a) ? b : a));
    edge.data("colour", colour(drawn, worst));
    edge.data("width", widthOf(bundle));
    for (const state of ["down", "excluded", "damped", "avoided", "trusted"]) {
      edge.toggleClass(state, worst.state === state);
    }
    const mark = Math.max(-1, ...bundle.links.map((link) => drawn.marked.get(link.name) ?? -1));
    edge.toggleClass("many", bundle.links.length > 1 && worst.state === "up");
    edge.toggleClass("marked", mark >= 0);
    edge.data("mark", mark >= 0 ? 2.5 + 5 * mark : 0);
    edge.toggleClass("faded", drawn.marked.size > 0 && mark < 0 && worst.state === "up");
    const selected = drawn.selection;
    edge.toggleClass(
      "chosen",
      (selected?.kind === "link" && bundle.links.some((link) => link.name === selected.name)) ||
        (selected?.kind === "bundle" && selected.id === bundle.id),
    );
  }

  private tapped(event: cytoscape.EventObject): void {
    if (event.target === this.cy) {
      this.select(undefined);
      return;
    }
    const id = (event.target as cytoscape.SingularElementArgument).id();
    const place = this.layout.places.find((each) => each.id === id);
    if (place?.folded) {
      this.open.add(id);
      this.redraw();
    } else if (place) {
      this.select({ kind: "switch", id });
    } else {
      const bundle = this.layout.bundles.find((each) => each.id === id)!;
      const names = bundle.links.map((link) => link.name);
      this.select(
        names.length === 1
          ? { kind: "link", name: names[0] }
          : { kind: "bundle", id, links: names },
      );
    }
  }

  private key(event: KeyboardEvent): void {
    const pans: Record<string, [number, number]> = {
      ArrowLeft: [PAN_STEP, 0],
      ArrowRight: [-PAN_STEP, 0],
      ArrowUp: [0, PAN_STEP],
      ArrowDown: [0, -PAN_STEP],
    };
    if (pans[event.key]) {
      this.viewport.panBy(...pans[event.key]);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(ZOOM_STEP);
    } else if (event.key === "-") {
      this.zoom(1 / ZOOM_STEP);
    } else if (event.key === "0") {
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Zooms about the middle. */
  zoom(factor: number): void {
    this.viewport.zoomAt(factor);
  }
}

const isMissing = (drawn: Drawn, place: Place) =>
  place.members.some((id) => !drawn.fabric.switches.get(id)?.present);

const isExcluded = (drawn: Drawn, id: string) => drawn.fabric.switches.get(id)?.excluded === true;

/** By how much attention a link asks for. */
function rank(drawn: Drawn, link: ShownLink): number {
  const states = ["up", "trusted", "excluded", "avoided", "damped", "down"];
  return 1000 * states.indexOf(link.state) + valueOf(drawn, link);
}

/** The worse of both directions. */
function valueOf(drawn: Drawn, link: ShownLink): number {
  const use = drawn.linkUse.get(link.name);
  const values = drawn.measure === "utilisation" ? use?.utilisation : use?.oversubscription;
  return values ? Math.max(...values) : drawn.measure === "utilisation" ? 0 : 1;
}

function colour(drawn: Drawn, link: ShownLink): string {
  return link.state === "up" || link.state === "trusted"
    ? colourOf(drawn.measure, valueOf(drawn, link))
    : colourOfState(link.state);
}

function widthOf(bundle: Bundle): number {
  return Math.min(9, 2.2 + Math.log2(bundle.links.length));
}

function style(): cytoscape.StylesheetJson {
  const dark = isDark();
  const ink = dark ? "#e6edf3" : "#1c2733";
  const ground = dark ? "#10161d" : "#ffffff";
  const accent = dark ? "#6cb6ff" : "#0a63b0";
  const node = dark ? "#1f2a36" : "#eef3f8";
  const border = dark ? "#5b7490" : "#6d86a0";
  const gone = colourOfState("down");
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle",
        width: 62,
        height: 30,
        "background-color": node,
        "border-width": 1.5,
        "border-color": border,
        label: "data(label)",
        color: ink,
        "font-family": "system-ui, sans-serif",
        "font-size": 13,
        "text-valign": "center",
        "text-halign": "center",
        "text-max-width": "92px",
        "text-wrap": "ellipsis",
        "min-zoomed-font-size": 6,
      },
    },
    {
      selector: "node.pod",
      style: {
        height: 46,
        width: 96,
        "text-wrap": "wrap",
        "border-style": "double",
        "border-width": 4,
        "font-size": 12,
      },
    },
    {
      selector: "node.missing",
      style: { "border-color": gone, "border-style": "dashed", color: gone, "border-width": 2 },
    },
    { selector: "node.excluded", style: { "border-style": "dotted", opacity: 0.75 } },
    {
      selector: "edge",
      style: {
        "curve-style": "bezier",
        "control-point-step-size": 16,
        width: "data(width)",
        "line-color": "data(colour)",
        "overlay-opacity": 0,
      },
    },
    { selector: "edge.many", style: { "line-opacity": 0.55, width: 1.6 } },
    { selector: "edge.trusted", style: { "line-style": "dashed", "line-dash-pattern": [12, 3] } },
    {
      selector: "edge.down",
      style: { "z-index": 5, "line-style": "dashed", "line-dash-pattern": [6, 5] },
    },
    { selector: "edge.excluded", style: { "line-style": "dotted" } },
    {
      selector: "edge.damped",
      style: { "line-style": "dashed", "line-dash-pattern": [2, 3, 8, 3] },
    },
    { selector: "edge.avoided", style: { "line-style": "dashed", "line-dash-pattern": [2, 4] } },
    { selector: "edge.faded", style: { opacity: 0.25 } },
    { selector: "edge.marked", style: { "line-color": accent, width: "data(mark)" } },
    {
      selector: "node.chosen",
      style: { "border-color": accent, "border-width": 3.5, "background-color": ground },
    },
    {
      selector: "edge.chosen",
      style: { "underlay-color": accent, "underlay-opacity": 0.35, "underlay-padding": 5 },
    },
  ] as cytoscape.StylesheetJson;
}
