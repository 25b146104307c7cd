/** The state of the fabric and its reasons, at the top of the page. */

import type { State } from "../store";
import { fill, h } from "../dom";
import { count } from "../format";

const SIGNS = { converged: "✓", converging: "…", degraded: "!" };

export class StatusBar {
  readonly element = h("div", {
    class: "status",
    attrs: { role: "status", "aria-live": "polite" },
  });
  private shown = "";

  show(state: State): void {
    const status = state.status;
    const key = JSON.stringify([status, state.connected]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    if (!status || !state.connected) {
      fill(
        this.element,
        h("span", { class: "state unknown", attrs: { "data-state": "unknown" } }, "? no answer"),
        h("span", { class: "reason" }, "the controller does not answer; the page tries again"),
      );
      return;
    }
    const more =
      (status.reasons.length > 1 ? status.reasons.length - 1 : 0) + (status.moreReasons ?? 0);
    fill(
      this.element,
      h(
        "span",
        { class: `state ${status.state}`, attrs: { "data-state": status.state } },
        `${SIGNS[status.state]} ${status.state}`,
      ),
      reasons(status.reasons, more),
      h(
        "span",
        { class: "counts" },
        [
          count(status.switches, "switch", "switches"),
          count(status.links, "link"),
          count(status.hosts, "host"),
          count(status.groups, "group"),
          status.strategyInForce && status.strategyInForce !== status.strategy
            ? `${status.strategy} (${status.strategyInForce})`
            : status.strategy,
        ].join(" · "),
      ),
    );
  }
}

function reasons(list: string[], more: number): HTMLElement {
  if (list.length === 0) {
    return h("span", { class: "reason" });
  }
  if (more === 0) {
    return h("span", { class: "reason" }, list[0]);
  }
  return h(
    "details",
    { class: "reason" },
    h("summary", {}, list[0], h("span", { class: "more" }, ` and ${more} more`)),
    h("ul", {}, ...list.slice(1).map((reason) => h("li", {}, reason))),
  );
}
