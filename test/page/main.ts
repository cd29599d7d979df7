import { measurePage } from "./bed/measure-page.ts";
import { BrowserMissing, findChromium } from "./browser/find-chromium.ts";
import { findNginx } from "./proxy/find-nginx.ts";

// `npm run test:page`: the page in a real browser, on a real api and NATS. Finds or unpacks the browser before the tests,
// and prints its version and the page's size. Exits with 3 (skipped: neither passed nor failed) where no browser can be had.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);
try {
  const { version } = await findChromium(log);
  log(`tested in Chromium ${version}; the page is ${(measurePage() / 1000).toFixed(1)} kB gz`);
} catch (error) {
  if (!(error instanceof BrowserMissing)) throw error;
  log(`SKIPPED: nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
process.argv.push("--config", "test/page/vitest.config.ts");
if ((await findNginx()) === undefined) {
  log("no nginx can be had: the page behind a proxy is not tested");
  process.argv.push("--exclude", "test/page/proxy/**");
}
await import("../run.ts");
