import { defineConfig } from "vite";

// Everything comes from the controller, under any path, and nothing is inlined: the page's
// Content-Security-Policy allows neither scripts nor styles in the document.
export default defineConfig({
  base: "./",
  build: {
    outDir: "target/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 800,
  },
});
