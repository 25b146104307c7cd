/** The hosts that the controller knows. */

import { fill, h, table } from "../dom";
import { byName, count } from "../format";
import type { Context, Panel } from "./context";

const MOST_ROWS = 500;

export class HostsPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Hosts" } });
  private readonly filter = h("input", {
    attrs: { type: "search", placeholder: "address or switch", "aria-label": "Filter hosts" },
    on: { input: () => this.context && this.fill(this.context) },
  });
  private readonly list = h("div");
  private context?: Context;
  private shown: unknown;

  constructor() {
    this.element.append(h("h2", {}, "Hosts"), this.filter, this.list);
  }

  show(context: Context): void {
    this.context = context;
    if (this.shown !== context.state.topology) {
      this.shown = context.state.topology;
      this.fill(context);
    }
  }

  private fill(context: Context): void {
    const wanted = this.filter.value.trim().toLowerCase();
    const hosts = (context.state.topology?.hosts ?? [])
      .filter(
        (host) => host.address.startsWith(wanted) || host.switch.toLowerCase().includes(wanted),
      )
      .sort((a, b) => byName(a.address, b.address));
    fill(
      this.list,
      h("p", { class: "hint" }, count(hosts.length, "host")),
      table(
        "Hosts",
        ["Address", "Switch", "Port"],
        hosts.slice(0, MOST_ROWS).map((host) => [host.address, host.switch, host.port]),
        { onRow: (i) => context.select({ kind: "switch", id: hosts[i].switch }) },
      ),
      hosts.length > MOST_ROWS &&
        h("p", { class: "hint" }, `The first ${MOST_ROWS} are shown; filter for others.`),
    );
  }
}
