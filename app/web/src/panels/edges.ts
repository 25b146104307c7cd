/** Edge hosts: each peer's paths with their weights, delays and flowlets, as hosts report them. */

import * as api from "../api";
import { button, fill, h, table, type Child } from "../dom";
import { byName, bytes, count, millis, percent } from "../format";
import { WhileSeen } from "../polling";
import type { Panel } from "./context";
import { facts, noSdd } from "./parts";

const POLL_MS = 1000;
const PEERS_PER_PAGE = 20;

export class EdgesPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Edge hosts" } });
  private readonly problem = h("p", { class: "hint" });
  private readonly hosts = h("div");
  private readonly host = h("div");
  private chosen = "";
  private first = 0;
  private shown = "";

  constructor() {
    this.element.append(h("h2", {}, "Edge hosts"), this.problem, this.hosts, this.host);
    new WhileSeen(this.element, POLL_MS, () => this.read());
  }

  show(): void {
    // It has its own readings, since reports come without an event.
  }

  private async read(): Promise<void> {
    try {
      const { hosts } = await api.get<{ hosts: api.EdgeHost[] }>("sdd/edge");
      fill(
        this.problem,
        hosts.length === 0 ? "The SDD controller's configuration has no edges." : "",
      );
      this.showHosts(hosts);
      if (this.chosen) {
        await this.readHost();
      }
    } catch (error) {
      this.shown = "";
      fill(this.hosts);
      fill(this.host);
      fill(this.problem, noSdd(error as Error));
    }
  }

  private async readHost(): Promise<void> {
    const name = this.chosen;
    const path = `sdd/edge/${encodeURIComponent(name)}?first=${this.first}&limit=${PEERS_PER_PAGE}`;
    const host = await api.get<api.EdgeHost>(path);
    if (name === this.chosen) {
      fill(this.host, ...this.hostView(host));
    }
  }

  private choose(name: string): void {
    this.chosen = name;
    this.first = 0;
    this.readHost().catch((error: Error) =>
      fill(this.host, h("p", { class: "error" }, error.message)),
    );
  }

  private showHosts(hosts: api.EdgeHost[]): void {
    const sorted = [...hosts].sort((a, b) => byName(a.name, b.name));
    const rows: Child[][] = sorted.map((host) => [
      host.name,
      host.connected ? (host.order ?? "") : "not connected",
      host.peers ?? "–",
      host.reportAgeNs === undefined ? "none" : `${(host.reportAgeNs / 1e9).toFixed(1)} s ago`,
    ]);
    // An unchanged table keeps the focus of a row.
    const key = JSON.stringify(rows);
    if (hosts.length > 0 && key !== this.shown) {
      this.shown = key;
      const at = focusedRow(this.hosts);
      fill(
        this.hosts,
        table(count(hosts.length, "edge host"), ["Host", "Order", "Peers", "Report"], rows, {
          onRow: (i) => this.choose(sorted[i].name),
        }),
      );
      this.hosts.querySelectorAll<HTMLElement>("tbody tr")[at]?.focus();
    }
  }

  private hostView(host: api.EdgeHost): Child[] {
    const report = host.report;
    const drops = Object.entries(report?.drops ?? {}).filter(([, n]) => n > 0);
    const most = host.peers ?? 0;
    return [
      h("h3", {}, host.name),
      host.problem && h("p", { class: "error" }, host.problem),
      !report &&
        h(
          "p",
          { class: "hint" },
          host.connected ? "It has not reported yet." : "It is not connected.",
        ),
      report &&
        facts([
          ["Address", `${report.address} at ${report.device}, ${report.transport}`],
          ["Filters", report.attached ? "attached" : "not attached"],
          [
            "Dropped",
            drops.length > 0 ? drops.map(([why, n]) => `${n} ${why}`).join(", ") : "nothing",
          ],
        ]),
      ...(report?.peers ?? []).map(peerView),
      most > PEERS_PER_PAGE &&
        h(
          "div",
          { class: "actions" },
          button("Earlier peers", () => this.turn(-PEERS_PER_PAGE, most), { class: "quiet" }),
          button("Further peers", () => this.turn(PEERS_PER_PAGE, most), { class: "quiet" }),
        ),
    ];
  }

  private turn(by: number, most: number): void {
    this.first = Math.max(0, Math.min(most - 1, this.first + by));
    void this.readHost();
  }
}

function focusedRow(list: Element): number {
  return [...list.querySelectorAll("tbody tr")].indexOf(document.activeElement as Element);
}

function peerView(peer: api.EdgePeer): HTMLElement {
  const flowlets = peer.paths.reduce((sum, path) => sum + path.sent.flowlets, 0);
  return h(
    "article",
    { class: "group" },
    h(
      "header",
      {},
      h("b", {}, peer.address),
      ` ${peer.prefixes.join(", ")}`,
      h("span", { class: "tag" }, peer.scheme),
    ),
    h(
      "p",
      { class: "detail" },
      `A flowlet begins after ${millis(peer.gapNowNs / 1e6)} without packets; round-trip time ${millis(peer.rttNs / 1e6)}; ${count(flowlets, "flowlet")}.`,
      peer.discovery &&
        ` Discovery: the peer answered on ${peer.discovery.arrived} of ${peer.discovery.tried} candidates${peer.discovery.ageNs === undefined ? "" : `, ${Math.round(peer.discovery.ageNs / 1e9)} s ago`}.`,
    ),
    table(
      `Paths to ${peer.address}`,
      ["Path", "Weight", "Before", "Delay", "Flowlets", "Sent", "Late"],
      peer.paths.map((path) => [
        h(
          "span",
          { attrs: { title: (path.hops ?? []).join(" → ") } },
          `${path.path}`,
          path.congested && h("span", { class: "tag bad" }, "congested"),
        ),
        weight(path.weight),
        percent(path.prior),
        path.utilisation !== undefined
          ? `${percent(path.utilisation, 0)} used`
          : path.delayNs === undefined
            ? "–"
            : millis(path.delayNs / 1e6),
        path.sent.flowlets.toLocaleString("en"),
        bytes(path.sent.bytes),
        path.received.late,
      ]),
    ),
    peer.paths.some((path) => path.hops) &&
      h(
        "ul",
        { class: "hops" },
        ...peer.paths.map((path) =>
          h(
            "li",
            {},
            `${path.path}: port ${path.sourcePort}, ${(path.hops ?? ["not discovered"]).join(" → ")}`,
          ),
        ),
      ),
  );
}

/** With a bar, as weights are compared with one another. */
function weight(share: number): HTMLElement {
  const bar = h("span", { class: "share" });
  bar.style.width = `${Math.round(50 * share)}px`;
  return h("span", { class: "weight" }, percent(share), bar);
}
