/** Writes .gz and .br beside every compressible file of dist/ and prints what a browser has to fetch. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const ROOT = new URL("../dist/", import.meta.url).pathname;
const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt"]);
/** The most the first page may take, in bytes of gzip. */
const ENTRY_BUDGET = 300_000;

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
  .map((entry) => join(entry.parentPath, entry.name));

const sizes = new Map(files.map((file) => [relative(ROOT, file), compress(file)]));
report(sizes, entryFiles());

function compress(file) {
  const bytes = readFileSync(file);
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(`${file}.gz`, packed);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  return packed.length;
}

/** What index.html names: fetched before anything is shown. */
function entryFiles() {
  const html = readFileSync(join(ROOT, "index.html"), "utf8");
  return new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1]));
}

function report(sizes, entry) {
  const assets = [...sizes].filter(([name]) => /\.(js|css)$/.test(name)).sort((a, b) => b[1] - a[1]);
  for (const [name, size] of assets) console.log(`${kilobytes(size)}  ${entry.has(name) ? "entry" : "lazy "}  ${name}`);
  const script = total(assets, (name) => entry.has(name) && name.endsWith(".js"));
  console.log(`${kilobytes(script)}  script of the entry, gzip`);
  if (script > ENTRY_BUDGET) {
    console.error(`The entry is over its budget of ${kilobytes(ENTRY_BUDGET).trim()}: make something lazy.`);
    process.exitCode = 1;
  }
}

function total(assets, wanted) {
  return assets.filter(([name]) => wanted(name)).reduce((sum, [, size]) => sum + size, 0);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(7)} kB`;
}
