/** A switch: its tables against their limits, its groups, its links and hosts. */

import * as api from "../api";
import { button, fill, h, table, type Child } from "../dom";
import { portOf, type ShownLink, type ShownSwitch } from "../fabric";
import { count, rate, ratio } from "../format";
import { STATES } from "../scale";
import type { Context, Panel } from "./context";
import { facts, meter } from "./parts";
import { portColours, slotStrip } from "./strip";

export class SwitchPanel implements Panel {
  readonly element = h("section", { attrs: { "aria-label": "Selected element" } });
  private shown = "";

  show(context: Context): void {
    const selection = context.selection;
    const key = JSON.stringify([
      selection,
      context.state.status,
      context.state.exclusions,
      context.state.damping,
    ]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    if (selection?.kind === "switch") {
      void this.showSwitch(context, selection.id);
    } else if (selection?.kind === "link") {
      const link = context.fabric.links.get(selection.name);
      fill(this.element, ...(link ? linkView(context, link) : [gone(selection.name)]));
    } else if (selection?.kind === "bundle") {
      const links = selection.links.flatMap((name) => context.fabric.links.get(name) ?? []);
      fill(
        this.element,
        h("h2", {}, count(links.length, "link")),
        linkTable(context, links, (link) => `${link.a} – ${link.b}`),
      );
    } else {
      fill(
        this.element,
        h("h2", {}, "Nothing selected"),
        h("p", { class: "hint" }, "Select a switch or a link in the drawing, or search by name."),
        legend(),
      );
    }
  }

  private async showSwitch(context: Context, id: string): Promise<void> {
    const at = context.fabric.switches.get(id);
    if (!at) {
      fill(this.element, gone(id));
      return;
    }
    let groups: api.Group[] = [];
    let problem = "";
    if (at.present) {
      try {
        const path = `groups?switch=${encodeURIComponent(id)}&limit=2000`;
        groups = (await api.get<{ groups: api.Group[] }>(path)).groups;
      } catch (error) {
        problem = String((error as Error).message);
      }
    }
    const now = context.selection;
    if (now?.kind === "switch" && now.id === id) {
      const keptScroll = this.element.parentElement?.scrollTop ?? 0;
      fill(this.element, ...switchView(context, at, groups, problem));
      this.element.parentElement?.scrollTo({ top: keptScroll });
    }
  }
}

function gone(name: string): HTMLElement {
  return h("p", { class: "hint" }, `${name} is not in the network any more.`);
}

function legend(): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    ...(["down", "excluded", "damped", "avoided", "trusted"] as const).map((state) =>
      h("li", {}, h("span", { class: `line ${state}` }), `link ${STATES[state].text}`),
    ),
  );
}

function switchView(
  context: Context,
  at: ShownSwitch,
  groups: api.Group[],
  problem: string,
): Child[] {
  const use = context.state.use.get(at.id);
  const links = [...context.fabric.links.values()]
    .filter((link) => link.from === at.id || link.to === at.id)
    .sort((a, b) => portAt(a, at.id) - portAt(b, at.id));
  return [
    h("h2", {}, at.id, tag(at)),
    h(
      "div",
      { class: "actions" },
      at.excluded
        ? button("Take back", () => takeBack(context, at.id))
        : button("Drain", () => drain(context, at.id)),
      button("What if it is drained", () => context.suppose({ kind: "switch", id: at.id }), {
        class: "quiet",
      }),
    ),
    facts([
      ["Stage", `S${at.stage}`],
      ["Target", use?.target],
      ["Prefixes", at.prefixes.slice(0, 4).join(", ") + (at.prefixes.length > 4 ? ", …" : "")],
      ["Hosts", at.hosts > 0 ? String(at.hosts) : ""],
      ["Worst oversubscription", use && ratio(use.oversubscription)],
      [
        "Of it by sharing groups",
        use?.sharing &&
          `${ratio(use.sharing.oversubscription)}, at least ${ratio(use.sharing.leastOversubscription)}`,
      ],
    ]),
    ...(use ? tables(use) : []),
    problem && h("p", { class: "error" }, problem),
    ...groupViews(groups),
    h("h3", {}, count(links.length, "link")),
    linkTable(context, links, (link) => {
      const own = link.from === at.id ? link.a : link.b;
      const other = link.from === at.id ? link.b : link.a;
      return `${portOf(own)} → ${other}`;
    }),
  ];
}

const portAt = (link: ShownLink, id: string) => portOf(link.from === id ? link.a : link.b);

function tag(at: ShownSwitch): Child {
  return at.excluded
    ? h("span", { class: "tag" }, "drained")
    : at.present
      ? null
      : h("span", { class: "tag bad" }, "not connected");
}

/** What tables hold, in the words of an operator. */
const TABLES: [keyof api.TableSizes, string, string][] = [
  ["entries", "multipath table entry", "multipath table entries"],
  ["groupEntries", "entry of the largest group", "entries of the largest group"],
  ["groups", "group", "groups"],
  ["rules", "rule", "rules"],
  ["maxWeight", "as the largest weight of a port", "as the largest weight of a port"],
  [
    "maxTotalWeight",
    "as the largest total weight of a group",
    "as the largest total weight of a group",
  ],
];

/** The tables in use against their limits; one without a limit has no bar. */
function tables(use: api.SwitchUse): Child[] {
  const limits: api.TableSizes = { entries: use.table, ...use.limits };
  const used: api.TableSizes = use.use ?? {
    entries: use.entries,
    groups: use.groups.length,
    rules: use.rules,
  };
  return TABLES.filter(([name]) => used[name] !== undefined).map(([name, one, many]) => {
    const [now, limit] = [used[name]!, limits[name]];
    const text =
      limit === undefined
        ? `${count(now, one, many)}, no limit known`
        : `${now.toLocaleString("en")} of ${count(limit, one, many)}`;
    return h(
      "div",
      { class: "use" },
      h("span", {}, text),
      limit !== undefined && meter(text, now / limit),
    );
  });
}

/** Groups once each, whatever destinations share them. */
function groupViews(groups: api.Group[]): Child[] {
  if (groups.length === 0) {
    return [];
  }
  const byId = new Map<number, api.Group[]>();
  groups.forEach((group) => byId.set(group.groupId, [...(byId.get(group.groupId) ?? []), group]));
  const colours = portColours(groups);
  return [
    h("h3", {}, count(byId.size, "group")),
    ...[...byId.values()].slice(0, 40).map((rows) => {
      const first = rows[0];
      const to = rows.map((row) => (row.source ? `${row.source} → ` : "") + row.destination);
      return h(
        "article",
        { class: "group", attrs: { "data-group": first.groupId } },
        h(
          "header",
          {},
          h("b", {}, `Group ${first.groupId}`),
          ` to ${to.slice(0, 3).join(", ")}${to.length > 3 ? ` and ${to.length - 3} more` : ""}`,
          h("span", { class: first.state === "pending" ? "tag bad" : "tag" }, first.state),
        ),
        h(
          "p",
          { class: "detail" },
          `${first.entries} entries, oversubscription ${ratio(first.oversubscription)}`,
        ),
        slotStrip(first, colours),
      );
    }),
    byId.size > 40 && h("p", { class: "hint" }, `${byId.size - 40} more groups are not shown.`),
  ];
}

function linkTable(
  context: Context,
  links: ShownLink[],
  label: (link: ShownLink) => string,
): HTMLElement {
  return table(
    "Links",
    ["Link", "Speed", "State"],
    links.slice(0, 300).map((link) => [label(link), rate(link.bps), STATES[link.state].text]),
    { onRow: (i) => context.select({ kind: "link", name: links[i].name }) },
  );
}

function linkView(context: Context, link: ShownLink): Child[] {
  const use = context.state.linkUse.get(link.name);
  const damped = context.state.damping.links.find((each) => each.link === link.name);
  const ends = new Set(context.state.exclusions.links);
  const excludedBy = ends.has(link.a) ? link.a : ends.has(link.b) ? link.b : "";
  return [
    h("h2", {}, `${link.a} – ${link.b}`),
    h(
      "p",
      { class: "linkState", attrs: { "data-link-state": link.state } },
      h("span", { class: `line ${link.state}` }),
      STATES[link.state].text,
    ),
    h(
      "div",
      { class: "actions" },
      excludedBy
        ? button("Take back", () => takeBack(context, excludedBy))
        : button("Drain", () => drain(context, link.a)),
      damped && button("Release", () => release(context, link.a)),
      button(
        "What if it is drained",
        () => context.suppose({ kind: "link", end: link.a, name: link.name }),
        { class: "quiet" },
      ),
      button(
        "What if it has another speed",
        () => context.suppose({ kind: "speed", a: link.a, b: link.b, bps: link.bps }),
        {
          class: "quiet",
        },
      ),
      button("What if it has a twin", () => context.suppose(twin(context, link)), {
        class: "quiet",
      }),
    ),
    facts([
      ["Speed", rate(link.bps)],
      [
        "Failures",
        damped && `${damped.failures}, released in ${Math.ceil(damped.releaseInSeconds)} s`,
      ],
    ]),
    use &&
      table(
        "Use by direction",
        ["From", "Oversubscription", "Utilisation"],
        [link.a, link.b].map((end, i) => [
          end,
          ratio(use.oversubscription[i]),
          use.utilisation ? `${(100 * use.utilisation[i]).toFixed(1)} %` : "not measured",
        ]),
      ),
  ];
}

/** A parallel link at the next free ports. */
function twin(context: Context, link: ShownLink) {
  const free = (id: string) => {
    const used = new Set<number>();
    for (const each of context.fabric.links.values()) {
      if (each.from === id) {
        used.add(portOf(each.a));
      }
      if (each.to === id) {
        used.add(portOf(each.b));
      }
    }
    context.state.topology?.hosts.forEach((host) => host.switch === id && used.add(host.port));
    let port = 1;
    while (used.has(port)) {
      port++;
    }
    return `${id}/${port}`;
  };
  return { kind: "added" as const, a: free(link.from), b: free(link.to), bps: link.bps };
}

/** Asks for confirmation: draining moves traffic. */
export function drain(context: Context, element: string): void {
  if (confirm(`Drain ${element}? Its traffic moves to other paths.`)) {
    context.act(`drain ${element}`, () => api.send("PUT", `exclusions/${path(element)}`));
  }
}

export function takeBack(context: Context, element: string): void {
  context.act(`take ${element} back`, () => api.send("DELETE", `exclusions/${path(element)}`));
}

export function release(context: Context, end: string): void {
  context.act(`release ${end}`, () => api.send("DELETE", `damping/${path(end)}`));
}

const path = (element: string) => element.split("/").map(encodeURIComponent).join("/");
