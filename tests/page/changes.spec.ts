import { expect, test, type Page } from "@playwright/test";
import { ask, choose, complaints, pixels, PICTURES } from "./support";

/** The link that is cut, as s1-0/3-s2-1/1, and its ends. */
const LINK = process.env.PAGE_LINK!;
const [, END, OTHER_END] = /^(.*\/\d+)-(.*)$/.exec(LINK)!;
const FROM = END.replace(/\/\d+$/, "");
const TO = "s1-2";
/** Of links that are down, on a light ground. */
const DOWN = "#c0272d";
const HALF_HOUR_MICROS = 1_800_000_000;
const TEN_MINUTES_AGO = "3000";

test.describe.configure({ mode: "serial" });

async function open(page: Page): Promise<void> {
  await page.goto(process.env.PAGE_URL!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
}

/** The slots of each port now and then, of the group from FROM to TO. */
async function predicted(page: Page): Promise<Map<number, number>[]> {
  const row = page
    .locator(`.table[aria-label*="other weights"] tbody tr`)
    .filter({ has: page.locator(`td:nth-child(1):text-is("${FROM}")`) })
    .filter({ has: page.locator(`td:nth-child(2):text-is("${TO}")`) });
  const cells = await row.locator("td").allTextContents();
  return cells
    .slice(2)
    .map((cell) => new Map(cell.split(" ").map((each) => each.split(":").map(Number)) as never));
}

test("another speed of a link would have other weights", async ({ page }) => {
  const wrong = complaints(page);
  await open(page);
  await choose(page, END);
  await page.getByRole("button", { name: "What if it has another speed" }).click();
  await expect(page.getByText("No weights change.")).toBeVisible();
  await page.getByLabel(`Gb/s of ${END} – ${OTHER_END} has the speed`).fill("5");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Compute" }).click();
  await expect(page.locator(`.table[aria-label*="other weights"]`)).toBeVisible();
  const [now, then] = await predicted(page);
  expect(Object.fromEntries(now)).toEqual({ 1: 43, 2: 43, 3: 85, 4: 85 });
  // The link has half of its speed: as much as each of the two that share what s2-0 has.
  expect(Math.abs(then.get(3)! - then.get(1)!)).toBeLessThanOrEqual(1);
  expect(then.get(4)!).toBeGreaterThan(1.9 * then.get(3)!);
  await page.screenshot({ path: `${PICTURES}/what-if-speed.png` });
  await page.getByRole("button", { name: /^Remove: / }).click();
  await expect(page.getByText("No change: the network as it is.")).toBeVisible();
  expect(wrong).toEqual([]);
});

test("a parallel link would carry traffic at the next free ports", async ({ page }) => {
  await open(page);
  await choose(page, END);
  await page.getByRole("button", { name: "What if it has a twin" }).click();
  const twin = `${FROM}/5`;
  await expect(
    page.getByText(`new link ${twin} – ${OTHER_END.replace(/\d+$/, "5")}`),
  ).toBeVisible();
  await expect(page.locator(`.table[aria-label*="other weights"]`)).toBeVisible();
  const [now, then] = await predicted(page);
  expect([...now.keys()]).toEqual([1, 2, 3, 4]);
  expect([...then.keys()]).toEqual([1, 2, 3, 4, 5]);
  await page.screenshot({ path: `${PICTURES}/what-if-twin.png` });
  await choose(page, twin);
  await expect(page.getByRole("alert"), "nothing was added").toContainText(
    `Nothing is called ${twin}.`,
  );
});

test("a replay shows a link as it was before it failed", async ({ page }) => {
  const wrong = complaints(page);
  await open(page);
  await ask("cut");
  await expect(page.locator("[data-state=degraded]")).toBeVisible();
  // The rest of what happened is half an hour older for this page.
  let failure = 0;
  await page.route(/\/events\?since=0$/, async (route) => {
    const response = await route.fetch();
    const answer: { events: { sequence: number; kind: string; detectedEpochMicros: number }[] } =
      await response.json();
    failure = Math.max(
      ...answer.events.filter(({ kind }) => kind === "link-down").map(({ sequence }) => sequence),
    );
    answer.events
      .filter(({ sequence }) => sequence < failure)
      .forEach((event) => (event.detectedEpochMicros -= HALF_HOUR_MICROS));
    await route.fulfill({ response, json: answer });
  });
  await page.route("**/events/stream*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ":\n\n" }),
  );
  await page.reload();
  await expect(page.locator("li[data-kind=link-down]").first()).toContainText(LINK);
  await expect.poll(() => pixels(page, DOWN)).toBeGreaterThan(0);

  const slider = page.getByLabel("Replay: seconds of the last hour");
  await slider.fill(TEN_MINUTES_AGO);
  await expect(page.locator(".banner")).toContainText("Replay: links and switches as they were");
  await expect(page.locator(`li[data-sequence="${failure}"]`)).toHaveCount(0);
  await expect.poll(() => pixels(page, DOWN)).toBe(0);
  await page.screenshot({ path: `${PICTURES}/replay.png` });

  await page.getByRole("button", { name: "Live" }).click();
  await expect(page.locator(".banner")).toBeEmpty();
  await expect(slider).toHaveValue("3600");
  await expect(page.locator(`li[data-sequence="${failure}"]`)).toBeVisible();
  await expect.poll(() => pixels(page, DOWN)).toBeGreaterThan(0);
  await ask("heal");
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await expect.poll(() => pixels(page, DOWN)).toBe(0);
  expect(wrong).toEqual([]);
});

/** Changes the configuration of damping, which is for minutes of a slow machine otherwise. */
async function setDamping(page: Page, halfLifeSeconds: number, maxHoldDownSeconds: number) {
  const response = await page.request.patch(new URL("../configuration", page.url()).href, {
    data: {
      damping: {
        enabled: true,
        halfLifeSeconds,
        suppress: 2000,
        reuse: 1000,
        maxHoldDownSeconds,
      },
    },
  });
  expect(response.status(), await response.text()).toBe(200);
}

test("a damped link is released", async ({ page }) => {
  await open(page);
  await setDamping(page, 3600, 7200);
  await choose(page, END);
  for (let failures = 1; failures <= 3; failures++) {
    await ask("cut");
    await expect(page.locator("[data-link-state=down]")).toBeVisible();
    await ask("heal");
    await expect(page.locator("[data-link-state=down]")).toHaveCount(0);
  }
  await expect(page.locator("[data-link-state=damped]")).toBeVisible();
  await expect(page.locator(".status")).toContainText("damped");
  await page.getByRole("tab", { name: "Out of service" }).click();
  const row = page.locator("li").filter({ hasText: /failures; released in \d+ s/ });
  await expect(row).toContainText(LINK);
  await page.screenshot({ path: `${PICTURES}/damped.png` });
  await page.getByRole("button", { name: `Release ${LINK}` }).click();
  await expect(page.getByText("No link is damped.")).toBeVisible();
  await expect(page.locator("li[data-kind=link-released]").first()).toContainText(LINK);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await setDamping(page, 10, 60);
});
