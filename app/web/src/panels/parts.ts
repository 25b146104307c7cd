/** What several panels are made of. */

import { ApiError } from "../api";
import { h, type Child } from "../dom";

/** A number that matters, with its name. */
export function card(name: string, value: string, bad = false): HTMLElement {
  return h(
    "div",
    { class: bad ? "card bad" : "card" },
    h("span", { class: "value" }, value),
    h("span", { class: "name" }, name),
  );
}

/** Names and values; what is not known is left out. */
export function facts(rows: [string, string | undefined][]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...rows
      .filter(([, value]) => value)
      .flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value!)]),
  );
}

/** A part of a whole as a bar. */
export function meter(text: string, part: number): HTMLElement {
  const filled = h("div", { class: part > 0.9 ? "filled full" : "filled" });
  filled.style.width = `${100 * Math.max(0, Math.min(1, part))}%`;
  return h("div", { class: "meter", attrs: { role: "img", "aria-label": text } }, filled);
}

/** Why there is nothing to see. */
export function noSdd(error: Error): Child {
  return error instanceof ApiError && error.status === 404
    ? "No SDD controller runs here. Start one with controller --sdd FILE."
    : error.message;
}
