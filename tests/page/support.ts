import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

/** Where screenshots go. */
export const PICTURES = "../../target/page";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the browser reported as wrong, such as a breach of the Content-Security-Policy. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      found.push(message.text());
    }
  });
  return found;
}

/** Asserts that axe finds nothing serious in what is seen now. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await page.evaluate(async (source) => {
    const scope = globalThis as unknown as {
      axe?: { run(): Promise<{ violations: AxeViolation[] }> };
    };
    if (!scope.axe) {
      // The page's policy allows no script in the document, and no eval; a function is neither.
      new Function(source)();
    }
    return (await scope.axe!.run()).violations;
  }, AXE);
  const serious = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect(serious).toEqual([]);
}

interface AxeViolation {
  id: string;
  impact?: string;
  nodes: { target: string[] }[];
}

/** How many pixels of the drawing have a colour, such as #c0272d. */
export function pixels(page: Page, colour: string): Promise<number> {
  return page.locator(".drawing").evaluate((drawing, hex) => {
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    let count = 0;
    for (const canvas of drawing.querySelectorAll("canvas")) {
      // The browser warns of repeated reading from the canvas itself.
      const copy = document.createElement("canvas");
      copy.width = canvas.width;
      copy.height = canvas.height;
      const context = copy.getContext("2d", { willReadFrequently: true })!;
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      for (let i = 0; i < data.length; i += 4) {
        const isAlike = wanted.every((part, j) => Math.abs(data[i + j] - part) < 4);
        count += data[i + 3] > 100 && isAlike ? 1 : 0;
      }
    }
    return count;
  }, colour);
}

/** Has the fabric's owner change something: "cut" or "heal" its link. */
export async function ask(what: string): Promise<void> {
  const response = await fetch(`${process.env.PAGE_CONTROL}/${what}`, { method: "POST" });
  expect(response.status).toBe(200);
}

/** Searches for a switch or link and selects it. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Search a switch, link or host" }).fill(name);
  await page.keyboard.press("Enter");
}
