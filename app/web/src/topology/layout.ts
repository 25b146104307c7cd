/** Where switches stand: a row for each stage, pods side by side, folded in large fabrics. */

import type { ShownFabric, ShownLink } from "../fabric";
import { byName } from "../format";

/** Above so many switches pods are folded. */
export const MOST_SWITCHES = 100;

export interface Place {
  id: string;
  /** The switches that stand for one another here: one, or those of a pod. */
  members: string[];
  label: string;
  stage: number;
  x: number;
  y: number;
  folded: boolean;
}

export interface Bundle {
  id: string;
  from: string;
  to: string;
  links: ShownLink[];
}

export interface Layout {
  places: Place[];
  bundles: Bundle[];
  /** Pods, by their name; empty in fabrics without. */
  pods: Map<string, string[]>;
}

const ROW = 150;
/** A pod's switches stand closer than those of a small fabric, which have the room. */
const COLUMN = 92;
const WIDE_COLUMN = 190;
const POD_GAP = 46;

/**
 * Lays a fabric out.
 *
 * @param open the pods that are not folded
 */
export function layOut(fabric: ShownFabric, open: ReadonlySet<string>): Layout {
  const pods = podsOf(fabric);
  const top = Math.max(1, ...[...fabric.switches.values()].map((each) => each.stage));
  const podOf = new Map<string, string>();
  pods.forEach((members, pod) => members.forEach((id) => podOf.set(id, pod)));
  const folds = fabric.switches.size > MOST_SWITCHES;
  const places: Place[] = [];
  let right = 0;
  const inPods = [...pods.entries()].sort((a, b) => byName(a[0], b[0]));
  for (const [pod, members] of inPods) {
    if (folds && !open.has(pod)) {
      places.push({
        id: pod,
        members,
        label: pod,
        stage: 1,
        x: right,
        y: ROW * (top - 1),
        folded: true,
      });
      right += COLUMN;
    } else {
      right = placeRows(fabric, members, top, right, places) + POD_GAP;
    }
  }
  const others = [...fabric.switches.keys()].filter((id) => !podOf.has(id));
  const width = Math.max(0, right - (inPods.length > 0 ? COLUMN : 0));
  placeAround(fabric, others, top, width, places);
  return { places, bundles: bundles(fabric, places), pods };
}

/** The rows of one pod; returns where the next one begins. */
function placeRows(
  fabric: ShownFabric,
  members: string[],
  top: number,
  left: number,
  places: Place[],
): number {
  const rows = byStage(fabric, members);
  const widest = Math.max(...[...rows.values()].map((row) => row.length));
  rows.forEach((row, stage) => {
    const shift = ((widest - row.length) * COLUMN) / 2;
    row.forEach((id, i) =>
      places.push(single(id, stage, left + shift + i * COLUMN, ROW * (top - stage))),
    );
  });
  return left + widest * COLUMN;
}

/** Rows of switches of no pod, in the middle above the pods. */
function placeAround(
  fabric: ShownFabric,
  ids: string[],
  top: number,
  width: number,
  places: Place[],
): void {
  const rows = byStage(fabric, ids);
  const widest = Math.max(0, ...[...rows.values()].map((row) => row.length));
  const column = widest <= 8 ? WIDE_COLUMN : COLUMN;
  const span = Math.max(width, (widest - 1) * column);
  rows.forEach((row, stage) => {
    const even = row.length > 1 ? span / (row.length - 1) : 0;
    const step = Math.max(COLUMN, Math.min(even, 260));
    const left = (span - step * (row.length - 1)) / 2;
    row.forEach((id, i) => places.push(single(id, stage, left + i * step, ROW * (top - stage))));
  });
}

function single(id: string, stage: number, x: number, y: number): Place {
  return { id, members: [id], label: id, stage, x, y, folded: false };
}

function byStage(fabric: ShownFabric, ids: string[]): Map<number, string[]> {
  const rows = new Map<number, string[]>();
  for (const id of [...ids].sort(byName)) {
    const stage = fabric.switches.get(id)!.stage;
    rows.set(stage, [...(rows.get(stage) ?? []), id]);
  }
  return rows;
}

/**
 * The parts into which the fabric falls without its highest stage. One part is no pod, and a switch
 * by itself neither, unless there are many: then switches go by the beginnings of their names.
 */
function podsOf(fabric: ShownFabric): Map<string, string[]> {
  const top = Math.max(1, ...[...fabric.switches.values()].map((each) => each.stage));
  const parent = new Map<string, string>();
  const find = (id: string): string => {
    let root = id;
    while (parent.get(root) !== root) {
      root = parent.get(root)!;
    }
    parent.set(id, root);
    return root;
  };
  for (const { id, stage } of fabric.switches.values()) {
    if (stage < top) {
      parent.set(id, id);
    }
  }
  for (const { from, to } of fabric.links.values()) {
    if (parent.has(from) && parent.has(to)) {
      parent.set(find(from), find(to));
    }
  }
  const parts = new Map<string, string[]>();
  for (const id of parent.keys()) {
    parts.set(find(id), [...(parts.get(find(id)) ?? []), id]);
  }
  const found = [...parts.values()].filter((part) => part.length > 1);
  const isTwoStages = found.length === 0 && fabric.switches.size > MOST_SWITCHES;
  const groups = isTwoStages ? chunks([...parent.keys()].sort(byName)) : found;
  if (groups.length < 2) {
    return new Map();
  }
  groups.forEach((members) => members.sort(byName));
  groups.sort((a, b) => byName(a[0], b[0]));
  return new Map(groups.map((members, i) => [nameOf(members, i), members]));
}

/** Of fabrics of two stages: racks by tens. */
function chunks(ids: string[]): string[][] {
  const all: string[][] = [];
  for (let i = 0; i < ids.length; i += 10) {
    all.push(ids.slice(i, i + 10));
  }
  return all;
}

function nameOf(members: string[], index: number): string {
  return members.length > 0 ? `pod ${index}` : "";
}

function bundles(fabric: ShownFabric, places: Place[]): Bundle[] {
  const placeOf = new Map<string, string>();
  places.forEach((place) => place.members.forEach((id) => placeOf.set(id, place.id)));
  const isLarge = fabric.switches.size > MOST_SWITCHES;
  const found = new Map<string, Bundle>();
  for (const link of fabric.links.values()) {
    const from = placeOf.get(link.from);
    const to = placeOf.get(link.to);
    if (from !== undefined && to !== undefined && from !== to) {
      const id = isLarge ? [from, to].sort().join(" ") : link.name;
      const bundle = found.get(id) ?? { id, from, to, links: [] };
      bundle.links.push(link);
      found.set(id, bundle);
    }
  }
  return [...found.values()];
}
