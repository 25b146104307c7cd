import { expect, test, type Page } from "@playwright/test";
import { ask, choose, complaints, expectAccessible, PICTURES } from "./support";

/** The link that is cut, as s1-0/3-s2-1/1, and its first end. */
const LINK = process.env.PAGE_LINK!;
const END = LINK.replace(/(\/\d+)-.*/, "$1");
const FROM = END.replace(/\/\d+$/, "");
const TO = "s1-2";

test.describe.configure({ mode: "serial" });

async function open(page: Page): Promise<void> {
  await page.goto(process.env.PAGE_URL!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
}

/** The slots of each port towards TO, as the pair's panel has them installed. */
async function installed(page: Page): Promise<string> {
  await page.getByRole("tab", { name: "Pair" }).click();
  await page.locator("select[name=from]").selectOption(FROM);
  await page.locator("select[name=to]").selectOption(TO);
  await page.getByRole("button", { name: "Show paths" }).click();
  const rows = page.locator(`.table[aria-label^="First hop"] tbody tr`);
  await expect(rows.first()).toBeVisible();
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent!)),
  );
  return cells.map(([port, , , , slots]) => `${port}:${slots}`).join(" ");
}

test("what-if is what then happens, and a cut link turns", async ({ page }) => {
  const wrong = complaints(page);
  await open(page);
  await choose(page, FROM);
  await expect(page.getByRole("heading", { name: FROM })).toBeVisible();
  await expect(page.locator(".strip .ports li").first()).toContainText("43 slots");
  await expect(page.getByText(/^1 (group, no limit known|of [\d,]+ groups)$/)).toBeVisible();
  await page.screenshot({ path: `${PICTURES}/switch.png` });
  const before = await installed(page);
  expect(before).toBe("1:43 2:43 3:85 4:85");
  await page.screenshot({ path: `${PICTURES}/pair.png` });

  await choose(page, END);
  await expect(page.locator("[data-link-state=up]")).toBeVisible();
  await page.getByRole("button", { name: "What if it is drained" }).click();
  const row = page
    .locator(`.table[aria-label*="other weights"] tbody tr`)
    .filter({ has: page.locator(`td:nth-child(1):text-is("${FROM}")`) })
    .filter({ has: page.locator(`td:nth-child(2):text-is("${TO}")`) });
  await expect(row.locator("td").nth(2)).toHaveText(before);
  const predicted = await row.locator("td").nth(3).textContent();
  expect(predicted).not.toBe(before);
  await page.screenshot({ path: `${PICTURES}/what-if.png` });
  expect(await installed(page), "a what-if changes nothing").toBe(before);

  await page.getByRole("tab", { name: "Selection" }).click();
  await ask("cut");
  await expect(page.locator("[data-state=degraded]")).toBeVisible();
  await expect(page.locator(".status")).toContainText("is down");
  await expect(page.locator("[data-link-state=down]")).toBeVisible();
  await expect(page.locator(`li[data-kind=link-down]`).first()).toContainText(LINK);
  await expect(page.locator("li[data-kind=link-down] .stages svg").first()).toBeVisible();
  await page.screenshot({ path: `${PICTURES}/link-down.png` });
  await expect.poll(() => installed(page)).toBe(predicted);

  await ask("heal");
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await expect.poll(() => installed(page)).toBe(before);
  expect(wrong).toEqual([]);
});

test("a drained switch is taken back", async ({ page }) => {
  page.on("dialog", (dialog) => void dialog.accept());
  await open(page);
  await choose(page, "s2-1");
  await page.getByRole("button", { name: "Drain", exact: true }).click();
  await expect(page.getByRole("heading", { name: "s2-1" })).toContainText("drained");
  await page.getByRole("tab", { name: "Out of service" }).click();
  await page.getByRole("button", { name: "Take s2-1 back" }).click();
  await expect(page.getByText("Nothing is drained.")).toBeVisible();
  await expect(page.locator("[data-state=converged]")).toBeVisible();
});

test("every single failure has a row, the worst first", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("button", { name: "Every single failure" }).click();
  const rows = page.locator(`.table[aria-label*="single failures"] tbody tr`);
  await expect(rows).toHaveCount(18);
  await expect(rows.first().locator("td").first()).toHaveText(/^s2-/);
  await page.screenshot({ path: `${PICTURES}/failures.png` });
});

test("a click selects, also where the drawing was moved to", async ({ page }) => {
  await open(page);
  // The fabric has two rows of three; the drawing shows all of it.
  const box = (await page.locator(".drawing").boundingBox())!;
  const at = { x: box.x + 0.183 * box.width, y: box.y + 0.69 * box.height };
  await page.mouse.click(at.x, at.y);
  await expect(page.getByRole("heading", { name: FROM })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Nothing selected")).toBeVisible();
  await page.mouse.move(at.x + 150, at.y + 60);
  await page.mouse.down();
  await page.mouse.move(at.x + 180, at.y + 20, { steps: 3 });
  await page.mouse.up();
  await expect(page.locator(".drawing > div").first()).not.toHaveClass(/moving/);
  await expect(page.getByText("Nothing selected")).toBeVisible();
  await page.mouse.click(at.x + 30, at.y - 40);
  await expect(page.getByRole("heading", { name: FROM })).toBeVisible();
});

test("it works by the keyboard", async ({ page }) => {
  await open(page);
  await page.keyboard.press("/");
  await page.keyboard.type(FROM);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: FROM })).toBeVisible();
  await page.getByRole("tab", { name: "Selection" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Pair" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByText("Nothing selected")).toBeVisible();
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open(page);
    await choose(page, FROM);
    await expect(page.locator(".strip")).toBeVisible();
    for (const name of ["Selection", "Pair", "Hosts", "Out of service", "What if"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      if (name === "What if") {
        await page.getByRole("button", { name: "Compute" }).click();
        await expect(page.locator(".cards")).toBeVisible();
      }
      await expectAccessible(page);
    }
    await page.screenshot({ path: `${PICTURES}/${scheme}.png` });
    await page.setViewportSize({ width: 820, height: 1180 });
    await expectAccessible(page);
    await page.screenshot({ path: `${PICTURES}/tablet-${scheme}.png` });
  });
}
