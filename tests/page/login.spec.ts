import { expect, test, type Page } from "@playwright/test";
import { expectAccessible, PICTURES } from "./support";

/** Opens the page in a tab of its own, whose user then sends a token. */
async function logIn(page: Page, token: string): Promise<void> {
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(process.env.PAGE_URL!);
  await give(page, token);
}

async function give(page: Page, token: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Token").fill(token);
  await dialog.getByRole("button", { name: "Log in" }).click();
}

async function drain(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: "Out of service" }).click();
  await page.getByLabel("Switch or link end").fill(name);
  await page.getByRole("button", { name: "Drain", exact: true }).click();
}

test("a wrong token is refused with a sentence, and a right one is kept for the tab", async ({
  page,
}) => {
  await page.goto(process.env.PAGE_URL!);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("log in: send Authorization: Bearer and a token");
  await expectAccessible(page);
  await page.screenshot({ path: `${PICTURES}/login.png` });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await expect(page.locator("[data-state=converged]")).toHaveCount(0);

  await give(page, "reader.wrong");
  await expect(dialog).toContainText("the token is not known");
  await give(page, process.env.PAGE_READ_TOKEN!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test("who may read may ask what if, but not drain", async ({ page }) => {
  await logIn(page, process.env.PAGE_READ_TOKEN!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await drain(page, "s2-1");
  await expect(page.getByRole("alert")).toContainText(
    /^Could not drain s2-1: reader has the role read/,
  );
  await expect(page.getByText("Nothing is drained.")).toBeVisible();
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByRole("button", { name: "Compute" }).click();
  await expect(page.locator(".cards")).toBeVisible();
});

test("who may operate drains and takes back", async ({ page }) => {
  await logIn(page, process.env.PAGE_OPERATE_TOKEN!);
  await expect(page.locator("[data-state=converged]")).toBeVisible();
  await drain(page, "s2-1");
  await page.getByRole("button", { name: "Take s2-1 back" }).click();
  await expect(page.getByText("Nothing is drained.")).toBeVisible();
  await expect(page.locator(".message")).toBeEmpty();
});
