/** What is known of the fabric, read from the controller and kept current by its events. */

import * as api from "./api";

export interface State {
  status?: api.Status;
  topology?: api.Topology;
  /** Links as configured; those that are not in the topology are down. */
  configured: api.Link[];
  configuredSwitches: api.Switch[];
  use: Map<string, api.SwitchUse>;
  linkUse: Map<string, api.LinkUse>;
  exclusions: api.Exclusions;
  damping: api.Damping;
  traffic?: api.Traffic;
  /** When the traffic was read, by the browser's clock in milliseconds. */
  trafficReadAt?: number;
  /** By sequence number, rising. */
  events: api.Event[];
  /** Whether the controller answers. */
  connected: boolean;
}

/** Between two readings of the state while no event comes. */
const POLL_MS = 2000;
/** Of the links' use, which changes without an event. */
const USE_MS = 10_000;
const MOST_EVENTS = 5000;

/** A link's name, by its lesser end first as the controller has it. */
export const nameOf = (link: { a: string; b: string }) => `${link.a}-${link.b}`;

export class Store {
  readonly state: State = {
    configured: [],
    configuredSwitches: [],
    use: new Map(),
    linkUse: new Map(),
    exclusions: { switches: [], links: [] },
    damping: { links: [] },
    events: [],
    connected: true,
  };

  private readonly listeners: (() => void)[] = [];
  private reading = false;
  private again = false;
  private usedAt = 0;
  private configuredAt = -1;

  /** Calls back after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads everything, and goes on reading. */
  async start(): Promise<void> {
    await this.refresh();
    try {
      const { events } = await api.get<{ events: api.Event[] }>("events?since=0");
      events.forEach((event) => this.take(event));
      this.changed();
    } catch {
      // The next reading reports it.
    }
    api.follow(
      this.lastSequence(),
      (event) => {
        this.take(event);
        void this.refresh();
      },
      () => void this.refresh(),
    );
    setInterval(() => void this.refresh(), POLL_MS);
  }

  /** Reads what has changed; what is asked for meanwhile is read once afterwards. */
  async refresh(): Promise<void> {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    try {
      do {
        this.again = false;
        await this.read();
      } while (this.again);
      this.state.connected = true;
    } catch {
      this.state.connected = false;
    } finally {
      this.reading = false;
      this.changed();
    }
  }

  private async read(): Promise<void> {
    const state = this.state;
    const before = state.status;
    state.status = await api.get<api.Status>("status");
    const now = Date.now();
    if (state.status !== before || !state.topology) {
      const [topology, use, exclusions, damping] = await Promise.all([
        api.get<api.Topology>("topology"),
        api.getAll<api.SwitchUse>("oversubscription", "switches"),
        api.get<api.Exclusions>("exclusions"),
        api.get<api.Damping>("damping"),
      ]);
      state.topology = topology;
      state.use = new Map(use.map((row) => [row.switch, row]));
      state.exclusions = exclusions;
      state.damping = damping;
      this.usedAt = 0;
      await this.readConfiguration();
    } else if (state.damping.links.length > 0) {
      state.damping = await api.get<api.Damping>("damping");
    }
    if (now - this.usedAt > USE_MS) {
      this.usedAt = now;
      const { links } = await api.get<{ links: api.LinkUse[] }>("link-use");
      state.linkUse = new Map(links.map((row) => [nameOf(row), row]));
      state.traffic = await api.get<api.Traffic>("traffic");
      state.trafficReadAt = Date.now();
    }
  }

  /** Only after an event of the configuration: a large one has megabytes. */
  private async readConfiguration(): Promise<void> {
    const last = this.state.events.filter((event) => event.kind === "configuration").at(-1);
    const sequence = last?.sequence ?? 0;
    if (sequence !== this.configuredAt) {
      const configuration = await api.get<Partial<api.Fabric>>("configuration");
      this.state.configured = configuration.links ?? [];
      this.state.configuredSwitches = configuration.switches ?? [];
      this.configuredAt = sequence;
    }
  }

  private lastSequence(): number {
    return this.state.events.at(-1)?.sequence ?? 0;
  }

  /** An event comes twice: when it happens and when it is confirmed. */
  private take(event: api.Event): void {
    const events = this.state.events;
    let at = events.length;
    while (at > 0 && events[at - 1].sequence > event.sequence) {
      at--;
    }
    if (at > 0 && events[at - 1].sequence === event.sequence) {
      events[at - 1] = event;
    } else {
      events.splice(at, 0, event);
    }
    if (events.length > MOST_EVENTS) {
      events.splice(0, events.length - MOST_EVENTS);
    }
  }

  private changed(): void {
    this.listeners.forEach((listener) => listener());
  }
}
