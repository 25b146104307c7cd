import { expect, test, type Page } from "@playwright/test";
import { complaints, expectAccessible, PICTURES } from "./support";

// What FakeFabricServer has: traffic of two switches, three hosts on a circuit switch, one edge.

test.describe.configure({ mode: "serial" });

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).click();
}

/** The text of all cells of a table, row by row. */
async function cells(page: Page, caption: RegExp): Promise<string[][]> {
  const rows = page.getByRole("region", { name: caption }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent!)),
  );
}

/** A host whose report comes late has no demand in that week: holds one in which both reported. */
async function holdWeekOfAllReports(page: Page): Promise<string[][]> {
  let pairs: string[][] = [];
  await expect(async () => {
    const next = page.waitForResponse(/\/sdd\/demand/);
    const goOn = page.getByRole("button", { name: "Go on" });
    if (await goOn.isVisible()) {
      await goOn.click();
    }
    await next;
    await page.getByRole("button", { name: "Hold" }).click();
    pairs = await cells(page, /what this week carries/);
    expect(pairs.slice(0, 2).map((row) => row.slice(0, 3))).toEqual([
      ["h0", "h1", expect.stringMatching(/MB$/)],
      ["h1", "h2", "600 kB"],
    ]);
  }).toPass();
  return pairs;
}

test("traffic, circuits and edges are seen, in both themes and by the keyboard", async ({
  page,
}) => {
  const wrong = complaints(page);
  await page.goto(process.env.PAGE_URL!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();

  await open(page, "Traffic");
  const heavy = page.locator(`.cells [data-row="s1-0"][data-column="s1-2"]`);
  await expect(heavy).toHaveAttribute("fill", /^#/);
  await expect(page.locator(".age")).toContainText("The oldest reading is");
  const demands = await cells(page, /^Largest demands/);
  expect(demands.map((row) => row.slice(0, 3))).toEqual([
    ["s1-0", "s1-2", "2 Gb/s"],
    ["s1-1", "s1-0", "8 Mb/s"],
  ]);
  await page.locator(".cells:visible").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".readout:visible")).toContainText("s1-0 → s1-2: 2 Gb/s (read ");
  await page.screenshot({ path: `${PICTURES}/traffic.png` });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^First hop of s1-0 to s1-2/ })).toBeVisible();
  await expect(page.locator(".measured")).toContainText("Measured: 2 Gb/s");

  await open(page, "Circuits");
  await expect(page.locator(".week .circuit").first()).toBeVisible();
  const pairs = await holdWeekOfAllReports(page);
  // A week carries at most 50 ms of 1 Gb/s, which is less than what waits.
  expect(parseFloat(pairs[0][4])).toBeLessThanOrEqual(6.25);
  expect(parseFloat(pairs[0][5])).toBeLessThan(100);
  await page.locator(`.cells:visible [data-row="h0"][data-column="h1"]`).click();
  await expect(page.getByRole("region", { name: /^Queues of h0/ })).toBeVisible();
  await page.screenshot({ path: `${PICTURES}/circuits.png` });

  await open(page, "Edge hosts");
  await page.getByRole("row", { name: /^h0/ }).focus();
  await page.keyboard.press("Enter");
  const paths = await cells(page, /^Paths to 10\.77\.2\.1/);
  expect(paths).toEqual([
    ["0congested", "12.5 %", "25.0 %", "0.41 ms", "300", "1.5 MB", "2"],
    ["1", "87.5 %", "75.0 %", "0.10 ms", "2,100", "11 MB", "0"],
  ]);
  await expect(page.locator(".hops")).toContainText("10.77.1.254 → 10.77.0.2 → 10.77.2.1");
  await page.screenshot({ path: `${PICTURES}/edges.png` });

  await open(page, "Striping");
  await expect(page.getByLabel("S1 switches", { exact: true })).toHaveValue("3");
  await expect(page.getByLabel("Uplinks of an S1")).toHaveValue("4");
  await page.getByLabel("Add later").selectOption("addS2");
  await page.getByRole("button", { name: "Plan" }).click();
  const cell = page.locator(`.cells:visible [data-row="s1-2"][data-column="s2-0"]`).first();
  await expect(cell).toBeVisible();
  expect(await cells(page, /^Links that a pair/)).toHaveLength(2);
  const steps = page.locator(".steps-list li");
  await expect(steps.first()).toContainText(
    /^ ?move s1-\d port \d from s2-\d port \d to s2-3 port 1/,
  );
  await page.getByRole("checkbox").first().check();
  await expect(page.getByText(/^1 of \d+ steps done/)).toBeVisible();
  await page.getByText("Cables: 12").click();
  expect(await cells(page, /^Cables$/)).toHaveLength(12);
  await page.screenshot({ path: `${PICTURES}/striping.png` });

  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["Traffic", "Circuits", "Edge hosts", "Striping"]) {
      await open(page, name);
      await expectAccessible(page);
      await page.screenshot({
        path: `${PICTURES}/${name.toLowerCase().replace(" ", "-")}-${scheme}.png`,
      });
    }
  }
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.screenshot({ path: `${PICTURES}/striping-tablet.png` });
  expect(wrong).toEqual([]);
});
