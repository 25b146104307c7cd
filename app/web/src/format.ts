/** How the page writes quantities. */

const STEPS: [number, string][] = [
  [1e12, "Tb/s"],
  [1e9, "Gb/s"],
  [1e6, "Mb/s"],
  [1e3, "kb/s"],
];

/** A rate in bits per second, with three digits. */
export function rate(bps: number): string {
  for (const [unit, name] of STEPS) {
    if (bps >= unit) {
      return `${Number((bps / unit).toPrecision(3))} ${name}`;
    }
  }
  return `${Math.round(bps)} b/s`;
}

const SIZES: [number, string][] = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** A number of bytes, with three digits. */
export function bytes(n: number): string {
  for (const [unit, name] of SIZES) {
    if (n >= unit) {
      return `${Number((n / unit).toPrecision(3))} ${name}`;
    }
  }
  return `${Math.round(n)} B`;
}

/** A share from 0 to 1. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** An oversubscription, from 1. */
export function ratio(value: number): string {
  return value.toFixed(value < 10 ? 3 : 1);
}

/** Milliseconds of a stage. */
export function millis(ms: number): string {
  return ms < 10
    ? `${ms.toFixed(2)} ms`
    : ms < 1000
      ? `${ms.toFixed(0)} ms`
      : `${(ms / 1000).toFixed(2)} s`;
}

/** A time of day by the clock of the browser. */
export function clock(epochMicros: number): string {
  const at = new Date(epochMicros / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** "1 switch", "2 switches". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Orders names as people do: s1-2 before s1-10. */
export const byName = new Intl.Collator("en", { numeric: true }).compare;
