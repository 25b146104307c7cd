/** What happened, what each event changed, how long it took; and the last hour again. */

import type { Event } from "../api";
import { button, fill, h, svg } from "../dom";
import { clock, count, millis } from "../format";
import { PORTS } from "../scale";
import type { State } from "../store";

const HOUR_MICROS = 3_600_000_000;
const BAD =
  /down|damped|lossy|(?<!not-)slow|silent|refused|drift|cannot|unsafe|miscabled|unexpected|too-small/;
const GOOD = /up$|released|clean|restored|gone|removed|not-slow/;

export class Timeline {
  readonly element = h("section", { class: "timeline", attrs: { "aria-label": "Events" } });
  private readonly list = h("ol", {
    class: "events",
    attrs: { tabindex: 0, "aria-label": "Events" },
  });
  private readonly strip = h("div", { class: "hour" });
  private readonly slider = h("input", {
    attrs: {
      type: "range",
      min: 0,
      max: 3600,
      value: 3600,
      "aria-label": "Replay: seconds of the last hour",
    },
    on: { input: () => this.moved() },
  });
  private readonly when = h("output", {}, "live");
  private readonly live = button("Live", () => this.goLive(), { class: "quiet" });
  private events: Event[] = [];
  private shown = "";
  /** What is replayed, or undefined while the page is live. */
  private atMicros?: number;

  /** @param replay called when the moment that is shown changes */
  constructor(private readonly replay: () => void) {
    this.live.hidden = true;
    this.element.append(
      h(
        "header",
        {},
        h("h2", {}, "Events"),
        h("label", { class: "replay" }, "Replay the last hour ", this.slider),
        this.when,
        this.live,
      ),
      this.strip,
      this.list,
    );
  }

  show(state: State): void {
    this.events = state.events;
    const last = state.events.at(-1);
    const key = `${state.events.length} ${last?.sequence} ${state.events.filter((e) => e.confirmedEpochMicros).length} ${this.atMicros}`;
    if (key !== this.shown) {
      this.shown = key;
      this.fill();
    }
  }

  /** The moment that is replayed, by the controller's clock; undefined while live. */
  get moment(): number | undefined {
    return this.atMicros;
  }

  private nowMicros(): number {
    return Math.max(Date.now() * 1000, this.events.at(-1)?.detectedEpochMicros ?? 0);
  }

  private moved(): void {
    const seconds = Number(this.slider.value);
    this.atMicros = seconds >= 3600 ? undefined : this.nowMicros() - HOUR_MICROS + seconds * 1e6;
    this.when.textContent = this.atMicros === undefined ? "live" : clock(this.atMicros);
    this.live.hidden = this.atMicros === undefined;
    this.shown = "";
    this.replay();
  }

  private goLive(): void {
    this.slider.value = "3600";
    this.moved();
  }

  private fill(): void {
    const until = this.atMicros ?? Infinity;
    const shown = this.events.filter((event) => event.detectedEpochMicros <= until);
    fill(this.strip, this.drawing());
    fill(
      this.list,
      ...shown
        .slice(-200)
        .reverse()
        .map((event) => this.row(event)),
    );
    if (shown.length === 0) {
      fill(this.list, h("li", { class: "hint" }, "No events yet."));
    }
  }

  private drawing(): Node {
    const now = this.nowMicros();
    const marks: Node[] = [];
    for (const event of this.events) {
      const x = 1000 * (1 - (now - event.detectedEpochMicros) / HOUR_MICROS);
      if (x >= 0) {
        const bad = BAD.test(event.kind);
        marks.push(
          svg("rect", {
            x: x - 1,
            y: bad ? 0 : 9,
            width: 2.5,
            height: bad ? 18 : 9,
            class: kindClass(event.kind),
          }),
        );
      }
    }
    if (this.atMicros !== undefined) {
      const x = 1000 * (1 - (now - this.atMicros) / HOUR_MICROS);
      marks.push(svg("rect", { x, y: 0, width: 2, height: 18, class: "cursor" }));
    }
    return svg(
      "svg",
      {
        viewBox: "0 0 1000 18",
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": "Events of the last hour; tall marks are failures",
      },
      ...marks,
    );
  }

  private row(event: Event): HTMLElement {
    const confirmed = event.confirmedEpochMicros;
    const changed = [
      event.groupsChanged ? count(event.groupsChanged, "group") : "",
      event.flowsChanged ? count(event.flowsChanged, "rule") : "",
    ]
      .filter(Boolean)
      .join(", ");
    const took =
      confirmed === undefined ? "pending" : millis((confirmed - event.detectedEpochMicros) / 1000);
    return h(
      "li",
      { attrs: { "data-kind": event.kind, "data-sequence": event.sequence } },
      h("time", {}, clock(event.detectedEpochMicros)),
      h("span", { class: `kind ${kindClass(event.kind)}` }, event.kind),
      h(
        "span",
        { class: "subject" },
        event.detail ? `${event.subject}: ${event.detail}` : event.subject,
      ),
      h("span", { class: "detail" }, changed ? `${changed} changed` : ""),
      h("span", { class: "took" }, took),
      stages(event),
    );
  }
}

const kindClass = (kind: string) => (BAD.test(kind) ? "bad" : GOOD.test(kind) ? "good" : "plain");

/** Where the time between detection and confirmation went. */
function stages(event: Event): HTMLElement {
  const entries = Object.entries(event.stagesMs ?? {}).filter(([, ms]) => ms > 0);
  const sum = entries.reduce((total, [, ms]) => total + ms, 0);
  if (sum === 0) {
    return h("span", { class: "stages" });
  }
  const text = entries.map(([name, ms]) => `${name} ${millis(ms)}`).join(", ");
  let left = 0;
  const parts = entries.map(([name, ms], i) => {
    const part = svg("rect", {
      x: left,
      y: 0,
      width: Math.max(0.6, (100 * ms) / sum),
      height: 10,
      fill: PORTS[i % PORTS.length],
    });
    part.append(svg("title", {}, `${name} ${millis(ms)}`));
    left += (100 * ms) / sum;
    return part;
  });
  return h(
    "span",
    { class: "stages", attrs: { title: text } },
    svg(
      "svg",
      {
        viewBox: "0 0 100 10",
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `Stages: ${text}`,
      },
      ...parts,
    ),
  );
}
