import { expect, test, type Page } from "@playwright/test";
import { complaints, pixels, PICTURES } from "./support";

const PODS = 25;
const HALF = 8;
const CORES = 100;
const TEN_GBPS = 10_000_000_000;
/** The end of the scale, on a light ground: no oversubscription here reaches it. */
const FULL = "#8c2d04";

/** 25 pods of 8 + 8 switches under 100: 500 switches with 10,000 links between them. */
function fabric() {
  const switches: { id: string; stage: number; table: number }[] = [];
  const links: { a: string; b: string; bps: number }[] = [];
  const subnets: { switch: string; prefix: string }[] = [];
  const used = new Map<string, number>();
  const end = (id: string) => {
    used.set(id, (used.get(id) ?? 0) + 1);
    return `${id}/${used.get(id)}`;
  };
  const join = (a: string, b: string) => links.push({ a: end(a), b: end(b), bps: TEN_GBPS });
  for (let pod = 0; pod < PODS; pod++) {
    for (let i = 0; i < HALF; i++) {
      switches.push({ id: `edge-${pod}-${i}`, stage: 1, table: 4096 });
      switches.push({ id: `agg-${pod}-${i}`, stage: 2, table: 4096 });
      subnets.push({ switch: `edge-${pod}-${i}`, prefix: `10.${pod}.${i}.0/24` });
    }
    for (let i = 0; i < HALF; i++) {
      for (let j = 0; j < HALF; j++) {
        join(`edge-${pod}-${i}`, `agg-${pod}-${j}`);
        join(`edge-${pod}-${i}`, `agg-${pod}-${j}`);
      }
    }
  }
  for (let core = 0; core < CORES; core++) {
    switches.push({ id: `core-${core}`, stage: 3, table: 4096 });
  }
  for (let n = 0; links.length < 10_000; n++) {
    join(`agg-${n % PODS}-${Math.floor(n / PODS) % HALF}`, `core-${Math.floor(n / 4) % CORES}`);
  }
  return { switches, links, subnets };
}

/** Frames a second, for two seconds, in which the keyboard moves the drawing or not. */
function frames(page: Page, moves: boolean): Promise<number> {
  return page.evaluate(async (moving) => {
    const drawing = document.querySelector<HTMLElement>(".drawing")!;
    const began = performance.now();
    let count = 0;
    while (performance.now() - began < 2000) {
      const key = count % 8 < 4 ? "ArrowLeft" : "ArrowRight";
      if (moving) {
        drawing.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
      }
      await new Promise(requestAnimationFrame);
      count++;
    }
    return count / 2;
  }, moves);
}

test("a fabric of 500 switches is shown with its pods folded", async ({ page }) => {
  const wrong = complaints(page);
  const shown = fabric();
  const answers: Record<string, unknown> = {
    status: {
      version: "1",
      strategy: "auto",
      strategyInForce: "wcmp",
      state: "degraded",
      reasons: ["link agg-3-1/17-core-40/2 is down: port core-40/2 is down"],
      confirmed: true,
      switches: 500,
      links: 9999,
      hosts: 0,
      groups: 700,
    },
    topology: {
      version: 1,
      fabric: { ...shown, links: shown.links.filter((_, i) => i !== 7777) },
      hosts: [],
      dampedLinks: [],
      avoidedLinks: [],
      trustedLinks: [],
      unexpectedLinks: [],
    },
    configuration: shown,
    oversubscription: {
      total: 500,
      switches: shown.switches.map(({ id }, i) => ({
        switch: id,
        table: 4096,
        target: "ovs",
        limits: { entries: 4096, groups: 1000, rules: 4000 },
        use: { entries: 256 * (1 + (i % 4)), groupEntries: 256, groups: 4, rules: 212 },
        rules: 212,
        entries: 256 * (1 + (i % 4)),
        oversubscription: 1 + (i % 7) / 20,
        groups: [],
      })),
    },
    exclusions: { switches: [], links: [] },
    damping: { links: [] },
    traffic: { enabled: true, switches: [], demands: [] },
    "link-use": {
      links: shown.links.map(({ a, b }, i) => ({
        a,
        b,
        oversubscription: [1 + (i % 11) / 40, 1],
        utilisation: [(i % 13) / 14, (i % 5) / 9],
      })),
    },
    events: { events: [], last: 0 },
  };
  await page.route("**/evenweave/**", async (route) => {
    const path = new URL(route.request().url()).pathname.split("/evenweave/")[1];
    if (path.startsWith("page/")) {
      await route.continue();
    } else if (path === "events/stream") {
      await route.fulfill({ contentType: "text/event-stream", body: ":\n\n" });
    } else if (route.request().headers()["if-none-match"]) {
      await route.fulfill({ status: 304 });
    } else {
      await route.fulfill({ json: answers[path] ?? { groups: [] }, headers: { ETag: '"1"' } });
    }
  });
  await page.goto(process.env.PAGE_URL!);
  await expect(page.locator("[data-state=degraded]")).toBeVisible();
  await expect(page.getByText("500 switches")).toBeVisible();
  await page.screenshot({ path: `${PICTURES}/large.png` });
  // While it moves, nothing is drawn: the browser moves the picture.
  const layer = page.locator(".drawing > div").first();
  const moved = await layer.evaluate((each) => {
    const key = new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
    each.dispatchEvent(key);
    return each.style.transform;
  });
  expect(moved).toBe("translate(60px, 0px) scale(1)");
  await expect(layer).not.toHaveClass(/moving/);
  expect(await layer.evaluate((each) => each.style.transform)).toBe("");
  // Printed, not asserted: what a machine can draw is no matter of right or wrong.
  console.log(`${await frames(page, false)} frames a second while nothing moves`);
  console.log(`${await frames(page, true)} frames a second while the drawing moves`);
  await page.getByRole("combobox", { name: "Search a switch, link or host" }).fill("edge-3-4");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "edge-3-4" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Fold pods" })).toBeVisible();
  await expect(page.getByText("of 4,096 multipath table entries")).toBeVisible();
  await expect(page.getByText("4 of 1,000 groups")).toBeVisible();
  await expect(page.getByText("212 of 4,000 rules")).toBeVisible();
  await expect(page.getByText("256 entries of the largest group, no limit known")).toBeVisible();
  await expect(page.locator(".scale:visible")).toContainText("Worst group at the sending port");
  await expect.poll(() => pixels(page, FULL)).toBe(0);
  await page.getByLabel("Colour links by").selectOption("utilisation");
  await expect(page.locator(".scale:visible")).toContainText("Of the link's speed, as measured");
  await expect.poll(() => pixels(page, FULL)).toBeGreaterThan(0);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Fit" }).click();
  await page.screenshot({ path: `${PICTURES}/large-open.png` });
  expect(wrong).toEqual([]);
});
