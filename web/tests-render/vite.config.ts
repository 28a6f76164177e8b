import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page on which rendering is tested. It is no part of the app: its files are written where the test says. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    target: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
});
