/**
 * Colours that mean something. The ramps grow in lightness as cividis does, which people with any
 * colour vision read alike; states differ by the form of the line too.
 */

import type { LinkState } from "./fabric";

export type Measure = "oversubscription" | "utilisation";

export interface Scale {
  label: string;
  /** Values at the ends of the ramp. */
  from: number;
  to: number;
  ticks: string[];
}

export const SCALES: Record<Measure, Scale> = {
  oversubscription: {
    label: "Worst group at the sending port",
    from: 1,
    to: 1.5,
    ticks: ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5+"],
  },
  utilisation: {
    label: "Of the link's speed, as measured",
    from: 0,
    to: 1,
    ticks: ["0", "20", "40", "60", "80", "100%"],
  },
};

/** Light to dark on a light ground; dark to light on a dark one. */
const RAMP = {
  light: ["#9db4c8", "#6f9bb8", "#5b7f86", "#8a7a3c", "#b5651d", "#8c2d04"],
  dark: ["#47607a", "#4f7f9f", "#6fa3a0", "#b7a657", "#e89c3f", "#ffd479"],
};

export const STATES: Record<LinkState, { text: string; light: string; dark: string }> = {
  up: { text: "carries traffic", light: "#9db4c8", dark: "#47607a" },
  trusted: { text: "carries traffic, not confirmed by probes", light: "#9db4c8", dark: "#47607a" },
  down: { text: "down", light: "#c0272d", dark: "#ff7b72" },
  excluded: { text: "drained", light: "#7a7f87", dark: "#8b949e" },
  damped: { text: "damped", light: "#8250a8", dark: "#c79bee" },
  avoided: { text: "avoided for loss", light: "#a04a00", dark: "#ffae66" },
};

/** Distinct in any colour vision (Okabe and Ito, "Color universal design"), for ports. */
export const PORTS = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#999999",
  "#b8a800",
];

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is shown dark. */
export const isDark = () => darkQuery.matches;

/** Calls back when that changes. */
export const onTheme = (listener: () => void) => darkQuery.addEventListener("change", listener);

/** The ramp of the present theme. */
export const ramp = () => (isDark() ? RAMP.dark : RAMP.light);

/** The colour of a value. */
export function colourOf(measure: Measure, value: number): string {
  const { from, to } = SCALES[measure];
  const colours = ramp();
  const at = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return colours[Math.min(colours.length - 1, Math.floor(at * colours.length))];
}

/** The colour of a link that carries no traffic, or does so unproven. */
export const colourOfState = (state: LinkState) =>
  isDark() ? STATES[state].dark : STATES[state].light;

/** Black or white, whichever is read better on a colour (WCAG's relative luminance). */
export function inkOn(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
