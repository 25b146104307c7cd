/** What panels have in common: the state they show and what they may ask of the page. */

import type { ShownFabric } from "../fabric";
import type { State } from "../store";
import type { Selection } from "../topology/view";

export interface Context {
  state: State;
  fabric: ShownFabric;
  selection: Selection;
  /** Chooses an element, and shows its panel. */
  select(selection: Selection): void;
  /** Marks links in the topology, each with a weight from 0 to 1. */
  mark(links: Map<string, number>): void;
  /** Shows the paths of a pair of switches with hosts. */
  showPair(from: string, to: string): void;
  /** Runs a change, shows its error if it has one, and reads the state anew. */
  act(what: string, change: () => Promise<unknown>): void;
  /** Adds a change to those that are supposed, and shows them. */
  suppose(change: Supposed): void;
}

/** One change that an operator supposes. */
export type Supposed =
  | { kind: "switch"; id: string }
  | { kind: "link"; end: string; name: string }
  | { kind: "speed"; a: string; b: string; bps: number }
  | { kind: "added"; a: string; b: string; bps: number };

/** A panel fills its element anew after each change. */
export interface Panel {
  readonly element: HTMLElement;
  show(context: Context): void;
}
