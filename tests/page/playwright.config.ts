import { defineConfig } from "@playwright/test";

// The browser is the machine's: Playwright's own is not downloaded. Without a sandbox, which
// Chromium refuses root, and fabrics need root.
const password = process.env.PAGE_PASSWORD;

export default defineConfig({
  testDir: ".",
  outputDir: "../../target/page/results",
  workers: 1,
  // Hang guards: on a machine with two busy cores a page takes seconds.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  reporter: "line",
  use: {
    actionTimeout: 180_000,
    // ONOS asks for a user's, as whom the browser then sends every request.
    httpCredentials: password ? { username: process.env.PAGE_USER!, password } : undefined,
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.PAGE_BROWSER,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    },
  },
});
