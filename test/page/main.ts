import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { BrowserMissing, findChromium } from "./browser/find-chromium.ts";

// `npm run test:page`: the page in a real browser, on a real api and NATS. Finds or unpacks the browser before the tests,
// and prints its version and the page's size. Exits with 3 (skipped: neither passed nor failed) where no browser can be had.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);
const built = new URL("../../page/built/", import.meta.url);

/** Bytes of everything that a browser loads before it asks for data, gzipped. */
function measurePage(): number {
  const files = readdirSync(built).filter((name) => /\.(?:html|js|css|svg)$/.test(name));
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, built)), { level: 9 }).length, 0);
}

try {
  const { version } = await findChromium(log);
  log(`tested in Chromium ${version}; the page is ${(measurePage() / 1000).toFixed(1)} kB gz`);
} catch (error) {
  if (!(error instanceof BrowserMissing)) throw error;
  log(`SKIPPED: nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
process.argv.push("--config", "test/page/vitest.config.ts");
await import("../run.ts");
