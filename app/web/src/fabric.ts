/** The fabric as the page shows it: what is there, and what is configured and missing. */

import type { State } from "./store";
import { nameOf } from "./store";

export type LinkState = "up" | "down" | "excluded" | "damped" | "avoided" | "trusted";

export interface ShownLink {
  name: string;
  a: string;
  b: string;
  /** The switches at both ends. */
  from: string;
  to: string;
  bps: number;
  state: LinkState;
}

export interface ShownSwitch {
  id: string;
  stage: number;
  table?: number;
  present: boolean;
  excluded: boolean;
  hosts: number;
  prefixes: string[];
}

export interface ShownFabric {
  switches: Map<string, ShownSwitch>;
  links: Map<string, ShownLink>;
}

/** The switch of an end, as in s1-0/1. */
export const switchOf = (end: string) => end.slice(0, end.lastIndexOf("/"));

/** The port of an end. */
export const portOf = (end: string) => Number(end.slice(end.lastIndexOf("/") + 1));

/** A link's name for people: s1-0/1 – s2-0/1. */
export const linkText = (name: string) => name.replace(/(\/\d+)-/, "$1 – ");

/** Of what the last one was made. */
let made: unknown[] = [];
let last: ShownFabric | undefined;

/** The fabric of a state: the same object until something of it changes. */
export function shown(state: State): ShownFabric {
  const of = [
    state.topology,
    state.configured,
    state.configuredSwitches,
    state.exclusions,
    state.damping,
  ];
  if (!last || of.some((part, i) => part !== made[i])) {
    made = of;
    last = join(state);
  }
  return last;
}

/** Joins the topology with the configuration, the exclusions and the damped links. */
function join(state: State): ShownFabric {
  const switches = new Map<string, ShownSwitch>();
  const links = new Map<string, ShownLink>();
  const topology = state.topology;
  if (!topology) {
    return { switches, links };
  }
  const excluded = new Set(state.exclusions.switches);
  for (const [list, present] of [
    [topology.fabric.switches, true],
    [state.configuredSwitches, false],
  ] as const) {
    for (const { id, stage, table } of list) {
      if (!switches.has(id)) {
        const excludedNow = excluded.has(id);
        switches.set(id, {
          id,
          stage,
          table,
          present,
          excluded: excludedNow,
          hosts: 0,
          prefixes: [],
        });
      }
    }
  }
  for (const { switch: id } of topology.hosts) {
    const at = switches.get(id);
    if (at) {
      at.hosts++;
    }
  }
  for (const { switch: id, prefix } of topology.fabric.subnets) {
    switches.get(id)?.prefixes.push(prefix);
  }
  const ends = new Set(state.exclusions.links);
  const damped = new Set(topology.dampedLinks);
  const avoided = new Set(topology.avoidedLinks);
  const trusted = new Set(topology.trustedLinks);
  const used = new Set<string>();
  for (const [list, up] of [
    [topology.fabric.links, true],
    [state.configured, false],
  ] as const) {
    for (const link of list) {
      if (used.has(link.a) || used.has(link.b)) {
        continue;
      }
      used.add(link.a).add(link.b);
      const name = nameOf(link);
      const from = switchOf(link.a);
      const to = switchOf(link.b);
      const isExcluded =
        ends.has(link.a) || ends.has(link.b) || excluded.has(from) || excluded.has(to);
      links.set(name, {
        name,
        ...link,
        from,
        to,
        state: !up
          ? "down"
          : isExcluded
            ? "excluded"
            : damped.has(name)
              ? "damped"
              : avoided.has(name)
                ? "avoided"
                : trusted.has(name)
                  ? "trusted"
                  : "up",
      });
    }
  }
  return { switches, links };
}
