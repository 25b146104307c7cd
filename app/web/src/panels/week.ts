/** A week of the circuit switch: what each host sends to, over time. */

import type { SddSchedule } from "../api";
import { h, svg } from "../dom";
import { millis } from "../format";
import { inkOn, PORTS } from "../scale";

const WIDTH = 430;
const LABEL_WIDTH = 54;
const ROW = 20;
const AXIS = 18;
/** From this width on, a circuit has room for its destination's name. */
const SMALLEST_LABELLED = 22;

/**
 * Draws a week, a row for each host that sends.
 *
 * @param hosts the rows, in order
 */
export function weekChart(schedule: SddSchedule, periodNs: number, hosts: string[]): HTMLElement {
  const rowOf = new Map(hosts.map((host, i) => [host, i]));
  const height = ROW * hosts.length;
  const x = (ns: number) => LABEL_WIDTH + ((WIDTH - LABEL_WIDTH) * ns) / periodNs;
  const parts: SVGElement[] = [];
  hosts.forEach((host, i) => {
    parts.push(
      svg("rect", {
        class: "night",
        x: LABEL_WIDTH,
        y: ROW * i + 1,
        width: WIDTH - LABEL_WIDTH,
        height: ROW - 2,
      }),
      svg(
        "text",
        { x: LABEL_WIDTH - 5, y: ROW * (i + 0.5), "text-anchor": "end", class: "name" },
        host,
      ),
    );
  });
  let count = 0;
  for (const day of schedule.days) {
    for (const circuit of day.circuits) {
      const row = rowOf.get(circuit.from);
      if (row === undefined) {
        continue;
      }
      count++;
      const left = x(day.startNs);
      const width = x(day.startNs + day.durationNs) - left;
      const colour = PORTS[(rowOf.get(circuit.to) ?? 0) % PORTS.length];
      const title = `${circuit.from} → ${circuit.to}${circuit.path === undefined ? "" : ` by path ${circuit.path}`}: ${millis(day.durationNs / 1e6)} from ${millis(day.startNs / 1e6)}`;
      parts.push(
        svg(
          "rect",
          {
            class: "circuit",
            x: left,
            y: ROW * row + 1,
            width: Math.max(1, width - 1),
            height: ROW - 2,
            fill: colour,
          },
          svg("title", {}, title),
        ),
      );
      if (width > SMALLEST_LABELLED) {
        parts.push(
          svg(
            "text",
            {
              x: left + width / 2,
              y: ROW * (row + 0.5),
              "text-anchor": "middle",
              class: "to",
              fill: inkOn(colour),
            },
            circuit.to,
          ),
        );
      }
    }
  }
  for (let tick = 0; tick <= 4; tick++) {
    const at = (periodNs * tick) / 4;
    parts.push(
      svg(
        "text",
        {
          x: x(at),
          y: height + AXIS / 2 + 2,
          "text-anchor": tick === 0 ? "start" : tick === 4 ? "end" : "middle",
          class: "name",
        },
        tick === 0 ? "0" : millis(at / 1e6),
      ),
    );
  }
  return h(
    "div",
    { class: "week" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${height + AXIS}`,
        role: "img",
        "aria-label": `Week ${schedule.period}: ${schedule.days.length} days with ${count} circuits. The table of pairs has their times.`,
      },
      ...parts,
    ),
  );
}
