/** The controller's REST resources. */

import { askForToken } from "./login";

/** Where they are: beside the page's folder. */
const ROOT = new URL("../", document.baseURI);

export interface Status {
  version: string;
  strategy: string;
  strategyInForce?: string;
  state: "converged" | "converging" | "degraded";
  reasons: string[];
  moreReasons?: number;
  confirmed: boolean;
  switches: number;
  links: number;
  hosts: number;
  groups: number;
  problem?: string;
}

export interface Switch {
  id: string;
  stage: number;
  table?: number;
  target?: string;
}

export interface Link {
  a: string;
  b: string;
  bps: number;
}

export interface Fabric {
  switches: Switch[];
  links: Link[];
  subnets: { switch: string; prefix: string }[];
}

export interface Topology {
  version: number;
  fabric: Fabric;
  hosts: { address: string; switch: string; port: number }[];
  dampedLinks: string[];
  avoidedLinks: string[];
  trustedLinks: string[];
  unexpectedLinks: { a: string; b: string; configured: string[] }[];
}

export interface GroupUse {
  groupId: number;
  destinations: number;
  ports: number;
  entries: number;
  oversubscription: number;
  leftOut?: LeftOutPort[];
  unusedShare?: number;
}

/** A port that a group gives no entries, with its share of the group's capacity. */
export interface LeftOutPort {
  port: number;
  share: number;
  why: string;
}

/** Of a switch's tables: what they hold at most, or what is used. */
export interface TableSizes {
  entries?: number;
  groupEntries?: number;
  groups?: number;
  rules?: number;
  maxWeight?: number;
  maxTotalWeight?: number;
}

export interface SwitchUse {
  switch: string;
  table?: number;
  limits?: TableSizes;
  use?: TableSizes;
  target?: string;
  rules: number;
  entries: number;
  oversubscription: number;
  sharing?: { oversubscription: number; leastOversubscription: number };
  groups: GroupUse[];
}

export interface GroupPort {
  port: number;
  via: string;
  wanted: number;
  slots: number;
  installed: number;
  idealShare: number;
  realisedShare: number;
}

export interface Group {
  switch: string;
  source?: string;
  destination: string;
  groupId: number;
  state: "installed" | "pending";
  entries: number;
  oversubscription: number;
  leftOut?: LeftOutPort[];
  unusedShare?: number;
  ports: GroupPort[];
}

export interface PathRow {
  links: string[];
  idealShare: number;
  realisedShare: number;
  leftOut?: boolean;
}

/** How one link is used; each pair of values from a to b and back. */
export interface LinkUse {
  a: string;
  b: string;
  oversubscription: [number, number];
  utilisation?: [number, number];
}

export interface Event {
  sequence: number;
  kind: string;
  subject: string;
  detail?: string;
  detectedEpochMicros: number;
  confirmedEpochMicros?: number;
  groupsChanged?: number;
  flowsChanged?: number;
  stagesMs?: Record<string, number>;
}

export interface Exclusions {
  switches: string[];
  links: string[];
}

export interface Damping {
  links: { link: string; failures: number; releaseInSeconds: number }[];
}

/** From a switch to a prefix, or to a switch. */
export interface Demand {
  from: string;
  to: string;
  bps: number;
}

export interface Traffic {
  enabled: boolean;
  periodSeconds?: number;
  timeConstantSeconds?: number;
  switches?: { switch: string; bps: number; ageSeconds: number }[];
  demands?: Demand[];
  /** Only with the strategy that follows it. */
  planned?: {
    demands: Demand[];
    churnLeftPercent: number;
    maxUtilisation: number;
    maxUtilisationOfWcmp: number;
  };
}

export interface Supposition {
  exclude: Exclusions;
  links: Link[];
  everyFailure?: boolean;
  offset?: number;
  limit?: number;
}

interface Change {
  before: number;
  after: number;
}

export interface Failure {
  failed: string;
  kind: "link" | "switch";
  problem?: string;
  slowerPairs: number;
  worst?: { from: string; to: string; beforeBps: number; afterBps: number };
  fullest: { switch: string; entries: number; table?: number };
  oversubscription: number;
  cutPairs: number;
  cutSwitches: string[];
}

interface Slots {
  wanted: number;
  slots: number;
  share: number;
}

export interface WhatIf {
  problem?: string;
  strategy?: string;
  oversubscription?: Change;
  switches?: { switch: string; table?: number; entries: Change; oversubscription: Change }[];
  groupRowsChanged?: number;
  groups?: {
    switch: string;
    destination: string;
    source?: string;
    ports: { port: number; via: string; before?: Slots; after?: Slots }[];
  }[];
  pairsChanged?: number;
  cutPairs?: number;
  pairs?: { from: string; to: string; beforeBps: number; afterBps: number }[];
  plan?: {
    groupsChanged: number;
    flowsChanged: number;
    rounds: {
      switches: string[];
      waits: boolean;
      groups: { added: number; changed: number; deleted: number };
      flows: { put: number; deleted: number };
    }[];
  };
  failures?: { total: number; next?: number; rows: Failure[] };
}

export interface SddStatus {
  scheduler: string;
  order?: string;
  loop: string;
  periodNs: number;
  circuitBps: number;
  hosts: number;
  connected: number;
  circuitSwitch: boolean;
  lateWeeks: number;
  lateDays: number;
  latePairs: number;
  secondChances: number;
  lostPairs: number;
  lastPlanNs: number;
  longestPlanNs: number;
}

/** A week; days start relative to it. */
export interface SddSchedule {
  /** -1 before the first one. */
  period: number;
  nightNs: number;
  days: {
    startNs: number;
    durationNs: number;
    circuits: { from: string; to: string; path?: number }[];
  }[];
}

export interface SddDemand {
  totalBytes: number;
  demand: { from: string; to: string; bytes: number }[];
}

export interface SddQueue {
  queue: number;
  to?: string;
  class?: string;
  queuedBytes: number;
  sentBytes: number;
  packetSwitchBytes: number;
  droppedPackets: number;
}

export interface EdgePath {
  path: number;
  sourcePort: number;
  weight: number;
  prior: number;
  congested: boolean;
  delayNs?: number;
  utilisation?: number;
  sent: { packets: number; bytes: number; flowlets: number };
  received: { packets: number; bytes: number; late: number };
  hops?: string[];
}

export interface EdgePeer {
  address: string;
  scheme: string;
  prefixes: string[];
  rttNs: number;
  gapNowNs: number;
  paths: EdgePath[];
  discovery?: { tried: number; arrived: number; ageNs?: number };
}

export interface EdgeHost {
  name: string;
  connected: boolean;
  order?: string;
  problem?: string;
  peers?: number;
  reportAgeNs?: number;
  /** As of evenweave-edge show --json. */
  report?: {
    device: string;
    attached: boolean;
    address: string;
    transport: string;
    drops: Record<string, number>;
    peers: EdgePeer[];
  };
}

interface CommonLinks {
  min: number;
  mean: number;
  max: number;
}

/** From a port of an S1 switch to one of an S2 switch. */
export interface Cable {
  a: string;
  b: string;
}

export interface Expansion {
  s1: number;
  s2: number;
  matrix: number[][];
  throughput: CommonLinks;
  cablesMoved: number;
  steps: string[];
  cables?: Cable[];
}

export interface Striping {
  matrix?: number[][];
  throughput?: CommonLinks;
  cables?: Cable[];
  comparison?: { kind: string; throughput: CommonLinks; fullThroughputPairs: number }[];
  expansion?: Expansion;
}

/** Of the user's token in the tab's storage, which ends with the tab. */
const TOKEN = "evenweave-token";

/** Of all requests that wait for a token, since one dialog is enough. */
let loggingIn: Promise<void> | undefined;

/** Before a stream of events that ended is opened again. */
const RETRY_MS = 2000;

/** An error that the controller explained. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** Of HTTP. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** What was answered last, by path: a request that nothing answers anew costs no body. */
const answers = new Map<string, { tag: string; value: unknown }>();

/** Reads a resource; the same object as before if it has not changed. */
export async function get<T>(path: string): Promise<T> {
  const known = answers.get(path);
  const response = await request(path, {
    headers: known ? { "If-None-Match": known.tag } : {},
    cache: "no-store",
  });
  if (known && response.status === 304) {
    return known.value as T;
  }
  const value = await read<T>(response);
  const tag = response.headers.get("ETag");
  if (tag) {
    answers.set(path, { tag, value });
  }
  return value;
}

/** Reads all pages of a list. */
export async function getAll<T>(path: string, field: string): Promise<T[]> {
  const all: T[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: Record<string, unknown> = await get(`${path}?offset=${offset}`);
    all.push(...(page[field] as T[]));
    offset = page.next as number | undefined;
  }
  return all;
}

/** Changes something. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await request(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return read<T>(response);
}

/** Sends a request with the user's token, if there is one; asks for another where that is refused. */
async function request(path: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const token = sessionStorage.getItem(TOKEN);
    const headers = new Headers(init.headers);
    if (token) {
      headers.set("Authorization", `Bearer ${token}`);
    }
    const response = await fetch(new URL(path, ROOT), { ...init, headers });
    if (response.status !== 401) {
      return response;
    }
    const reason = await problem(response);
    if (token === sessionStorage.getItem(TOKEN)) {
      loggingIn ??= askForToken(reason).then((given) => {
        sessionStorage.setItem(TOKEN, given);
        loggingIn = undefined;
      });
    }
    await loggingIn;
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) {
    throw new ApiError(await problem(response), response.status);
  }
  return (await response.json()) as T;
}

/** Why a request failed. */
async function problem(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { error: string }).error;
  } catch {
    // Not from the controller; the status says what there is to say.
    return `${response.status} ${response.statusText}`;
  }
}

/** Calls back for each event, when it happens and when it is confirmed; goes on when it was cut off. */
export function follow(since: number, take: (event: Event) => void, lost: () => void): void {
  void (async () => {
    for (let last = since; ;) {
      try {
        const response = await request(`events/stream?since=${last}`);
        for await (const event of eventsOf(response)) {
          last = Math.max(last, event.sequence);
          take(event);
        }
      } catch {
        // As when the stream ends: the controller may be back soon.
      }
      lost();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  })();
}

/** What a stream of events holds (HTML, 9.2.6), of which only the data counts here. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  if (!response.ok || !response.body) {
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data) {
        yield JSON.parse(data.slice("data: ".length)) as Event;
      }
    }
  }
}
