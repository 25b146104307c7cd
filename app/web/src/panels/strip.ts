/** A group as the strip of its slots: the part of each port, beside what is installed. */

import { h, svg } from "../dom";
import { percent } from "../format";
import { PORTS } from "../scale";
import type { Group, GroupPort } from "../api";

const WIDTH = 360;
const HEIGHT = 22;

/** The strip with its legend. */
export function slotStrip(group: Group, colours: Map<number, string>): HTMLElement {
  const isPending = group.ports.some((port) => port.slots !== port.installed);
  const bars = [bar(group.ports, (port) => port.slots, colours)];
  if (isPending) {
    bars.push(bar(group.ports, (port) => port.installed, colours));
  }
  return h(
    "div",
    { class: "strip" },
    ...bars.map((each, i) =>
      h(
        "div",
        { class: "bar" },
        isPending && h("span", { class: "which" }, i === 0 ? "planned" : "installed"),
        each,
      ),
    ),
    h("ul", { class: "ports" }, ...group.ports.map((port) => legend(group, port, colours))),
  );
}

/** One colour for each port of a switch, the same in all its groups. */
export function portColours(groups: Group[]): Map<number, string> {
  const ports = [...new Set(groups.flatMap((group) => group.ports.map((port) => port.port)))];
  ports.sort((a, b) => a - b);
  return new Map(ports.map((port, i) => [port, PORTS[i % PORTS.length]]));
}

function bar(
  ports: GroupPort[],
  slots: (port: GroupPort) => number,
  colours: Map<number, string>,
): Node {
  const sum = ports.reduce((total, port) => total + slots(port), 0);
  const text = ports.map((port) => `port ${port.port}: ${slots(port)}`).join(", ");
  const parts: Node[] = [];
  let left = 0;
  for (const port of ports) {
    const width = sum > 0 ? (WIDTH * slots(port)) / sum : 0;
    parts.push(
      svg("rect", {
        x: left,
        y: 0,
        width: Math.max(0, width - 1),
        height: HEIGHT,
        fill: colours.get(port.port)!,
      }),
    );
    left += width;
  }
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${sum} slots: ${text}`,
    },
    ...parts,
  );
}

function legend(group: Group, port: GroupPort, colours: Map<number, string>): HTMLElement {
  const leftOut = group.leftOut?.find((each) => each.port === port.port);
  const key = h("span", { class: "key" });
  key.style.backgroundColor = colours.get(port.port)!;
  return h(
    "li",
    { class: leftOut ? "leftOut" : "" },
    key,
    h("b", {}, `${port.port}`),
    h("span", {}, ` ${port.via}`),
    h(
      "span",
      { class: "detail" },
      leftOut
        ? `left out, ${percent(leftOut.share, 2)} of the capacity: ${leftOut.why}`
        : `weight ${port.wanted}, ${port.slots} slots, ${percent(port.realisedShare)}`,
    ),
  );
}
