/** The fabric as it was at a moment, by taking the events since then back. */

import type { Event } from "./api";
import type { LinkState, ShownFabric } from "./fabric";

const BEFORE: Record<string, { link?: LinkState; present?: boolean }> = {
  "link-down": { link: "up" },
  "link-up": { link: "down" },
  "link-damped": { link: "up" },
  "link-released": { link: "damped" },
  "link-lossy": { link: "up" },
  "link-clean": { link: "avoided" },
  "switch-down": { present: true },
  "switch-up": { present: false },
};

/**
 * Undoes the events after a moment, the latest first.
 *
 * @param events by rising time
 */
export function asOf(fabric: ShownFabric, events: Event[], atMicros: number): ShownFabric {
  const links = new Map(fabric.links);
  const switches = new Map(fabric.switches);
  for (let i = events.length - 1; i >= 0 && events[i].detectedEpochMicros > atMicros; i--) {
    const before = BEFORE[events[i].kind];
    const name = events[i].subject.split(" ")[0];
    const link = links.get(name);
    const at = switches.get(name);
    if (before?.link && link) {
      links.set(name, { ...link, state: before.link });
    } else if (before?.present !== undefined && at) {
      switches.set(name, { ...at, present: before.present });
    }
  }
  return { links, switches };
}
