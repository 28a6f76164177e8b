import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Where `auritas serve` listens; the development server hands API calls on to it. */
const SERVER = process.env.AURITAS_SERVER ?? "http://127.0.0.1:7117";

export default defineConfig({
  plugins: [react()],
  server: { host: "127.0.0.1", proxy: { "/api": SERVER, "/v1": SERVER, "/health": SERVER } },
  build: {
    // The first browsers with light-dark(), which the theme is written in.
    target: ["chrome123", "firefox120", "safari17.5"],
    // A policy without data: fonts and without inline scripts leaves no place for either.
    assetsInlineLimit: 0,
    // One sheet: a part of the app that is fetched again after a failure would come without its own.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
  },
});
