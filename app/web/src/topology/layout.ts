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
const FOLDED_COLUMN = 118;
const FOLDED_ROW = 92;
const POD_GAP = 46;

/**
 * Lays a fabric out.
 *
 * @param open the pods that are not folded
 */
export function layOut(fabric: ShownFabric, open: ReadonlySet<string>): Layout {
  const top = topStage(fabric);
  const pods = podsOf(fabric);
  const places: Place[] = [];
  if (fabric.switches.size > MOST_SWITCHES) {
    placeFolded(fabric, pods, open, places);
    return { places, bundles: bundles(fabric, places), pods };
  }
  let right = 0;
  for (const members of pods.values()) {
    right = placeRows(fabric, members, top, right, places) + POD_GAP;
  }
  const inPods = new Set([...pods.values()].flat());
  const others = [...fabric.switches.keys()].filter((id) => !inPods.has(id));
  placeAround(fabric, others, top, Math.max(0, right - (right > 0 ? COLUMN : 0)), places);
  return { places, bundles: bundles(fabric, places), pods };
}

const topStage = (fabric: ShownFabric) =>
  Math.max(1, ...[...fabric.switches.values()].map((each) => each.stage));

/** Folded parts in a grid, the highest stage above, and what is open above or below all of it. */
function placeFolded(
  fabric: ShownFabric,
  pods: Map<string, string[]>,
  open: ReadonlySet<string>,
  places: Place[],
): void {
  const top = topStage(fabric);
  const isTop = ([, members]: [string, string[]]) => fabric.switches.get(members[0])!.stage === top;
  const parts = [...pods.entries()];
  const above = parts.filter(isTop);
  const below = parts.filter((part) => !isTop(part));
  const columns = Math.max(8, Math.ceil(Math.sqrt(2 * below.length)));
  const width = (columns - 1) * FOLDED_COLUMN;
  let y = 0;
  const openAbove = above.filter(([pod]) => open.has(pod)).flatMap(([, members]) => members);
  y = placeGrid(
    openAbove.map((id) => single(id, top, 0, 0)),
    width,
    COLUMN,
    y,
    places,
  );
  const folded = (list: [string, string[]][]) =>
    list
      .filter(([pod]) => !open.has(pod))
      .map(([pod, members]) => foldedPlace(fabric, pod, members));
  y = placeGrid(folded(above), width, FOLDED_COLUMN, y, places) + (above.length > 0 ? ROW / 2 : 0);
  y = placeGrid(folded(below), width, FOLDED_COLUMN, y, places);
  for (const [, members] of below.filter(([pod]) => open.has(pod))) {
    const rows = [...byStage(fabric, members).entries()].sort((a, b) => b[0] - a[0]);
    y += ROW / 3;
    for (const [stage, ids] of rows) {
      y = placeGrid(
        ids.map((id) => single(id, stage, 0, 0)),
        width,
        COLUMN,
        y,
        places,
      );
    }
  }
}

/** Rows of places, each in the middle of the width; returns where the next row begins. */
function placeGrid(
  list: Place[],
  width: number,
  column: number,
  top: number,
  places: Place[],
): number {
  const most = Math.floor(width / column) + 1;
  // Rows of equal length look like one thing.
  const inRow = Math.ceil(list.length / Math.max(1, Math.ceil(list.length / most)));
  let y = top;
  for (let i = 0; i < list.length; i += inRow) {
    const row = list.slice(i, i + inRow);
    const left = (width - (row.length - 1) * column) / 2;
    row.forEach((place, j) => places.push({ ...place, x: left + j * column, y }));
    y += FOLDED_ROW;
  }
  return y;
}

function foldedPlace(fabric: ShownFabric, pod: string, members: string[]): Place {
  const stage = fabric.switches.get(members[0])!.stage;
  const range = `${members[0]}\n… ${members.at(-1)}`;
  const label = stage === topStage(fabric) ? range : `${pod}\n${members.length} switches`;
  return { id: pod, members, label, stage, x: 0, y: 0, folded: true };
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
 * The parts into which the fabric falls without its highest stage, and in large fabrics the highest
 * stage by tens. Where there are no parts of several switches, as in fabrics of two stages, large
 * ones go by tens throughout.
 */
function podsOf(fabric: ShownFabric): Map<string, string[]> {
  const top = topStage(fabric);
  const isLarge = fabric.switches.size > MOST_SWITCHES;
  const parts = partsBelow(fabric, top);
  const found = parts.filter((part) => part.length > 1);
  const ids = [...fabric.switches.values()].filter((each) => each.stage < top).map(({ id }) => id);
  let pods = found.length > 1 ? found : [];
  if (isLarge && pods.length === 0) {
    pods = byTens(ids);
  }
  pods.forEach((members) => members.sort(byName));
  pods.sort((a, b) => byName(a[0], b[0]));
  const named = new Map(pods.map((members, i) => [`pod ${i}`, members]));
  if (isLarge) {
    const highest = [...fabric.switches.values()].filter((each) => each.stage === top);
    byTens(highest.map(({ id }) => id)).forEach((members, i) => named.set(`top ${i}`, members));
  }
  return named;
}

/** Connected parts of the switches below a stage. */
function partsBelow(fabric: ShownFabric, top: number): string[][] {
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
    const root = find(id);
    parts.set(root, [...(parts.get(root) ?? []), id]);
  }
  return [...parts.values()];
}

function byTens(ids: string[]): string[][] {
  const sorted = [...ids].sort(byName);
  const all: string[][] = [];
  for (let i = 0; i < sorted.length; i += 10) {
    all.push(sorted.slice(i, i + 10));
  }
  return all;
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
