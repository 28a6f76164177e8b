/** Renders the PNG icons from public/icons/mark.svg with an installed Chromium: `npm run icons [path of chromium]`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ICONS = new URL("../public/icons/", import.meta.url).pathname;
const CHROMIUM = process.argv[2] ?? "/usr/bin/chromium";
/** The part of a maskable icon that a system may cut away, on each side. */
const MASK_MARGIN = 0.14;
const PAPER = "#fbfaf7";

const mark = readFileSync(join(ICONS, "mark.svg"), "utf8");
const work = mkdtempSync(join(tmpdir(), "auritas-icons-"));
render("icon-192.png", 192, 0, "transparent");
render("icon-512.png", 512, 0, "transparent");
render("maskable-512.png", 512, MASK_MARGIN, PAPER);
rmSync(work, { recursive: true });

function render(name, size, margin, ground) {
  const inner = Math.round(size * (1 - 2 * margin));
  const page = join(work, "icon.html");
  const style = `margin:0;width:${size}px;height:${size}px;display:grid;place-items:center;background:${ground}`;
  const svg = mark.replace("<svg ", `<svg width="${inner}" height="${inner}" `);
  writeFileSync(page, `<!doctype html><body style="${style}">${svg}</body>`);
  execFileSync(CHROMIUM, [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--default-background-color=00000000",
    "--force-device-scale-factor=1",
    `--user-data-dir=${join(work, "profile")}`,
    `--window-size=${size},${size}`,
    `--screenshot=${join(ICONS, name)}`,
    `file://${page}`,
  ]);
}
