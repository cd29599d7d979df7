import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { BrowserMissing, findChromium } from "./browser/find-chromium.ts";

// `npm run test:page`: the page in a real browser, on a real api and NATS. Brings the browser first, so that no test's time is
// spent on it, and says which one it is and how large the page is. Exits with 3, and says so,
// where none can be had: that is neither passed nor failed.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);
const built = new URL("../../page/built/", import.meta.url);

/** Everything that a browser loads before it asks for data, packed as it travels. */
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
