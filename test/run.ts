import { parseCLI, startVitest } from "vitest/node";

// Runs every test once but those of `npm run test:long`, or those that the arguments choose, and closes with the plain line
// `N passed, N failed`, after the slowest files.
// A module that cannot be loaded and an unhandled error count as failed: they are not tests, so no reporter's total
// would show them. A skipped test counts as failed too, unless names were asked for (`-t`): then the rest is skipped.
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)], { allowUnknownOptions: false });
// A file or a project that is asked for is run wherever it belongs.
const isWhole = filter.length === 0 && options.project === undefined && options.testNamePattern === undefined;
const chosen = isWhole && options.config === undefined ? { project: "!long-*" } : {};
const vitest = await startVitest("test", filter, { ...options, ...chosen, watch: false });
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const passed = tests.filter((test) => test.result().state === "passed").length;
const skipped = tests.filter((test) => test.result().state === "skipped").length;
const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
const unhandled = vitest.state.getUnhandledErrors().length;
const refused = options.testNamePattern === undefined ? skipped : 0;
const bad = tests.length - passed - skipped + refused + broken + unhandled;
// Nothing failed because nothing ran: what all tests need could not be set up, or no test has the name asked for.
const failed = passed + bad === 0 ? 1 : bad;
await vitest.close();

/** The slowest files of a run with many, so that it is seen what makes the whole slow. */
const slowest = modules
  .map((module) => ({ path: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
  .sort((one, other) => other.seconds - one.seconds)
  .slice(0, 10);
if (modules.length > 20) {
  console.log("slowest files:");
  for (const { path, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  console.log();
}
if (refused > 0) console.log(`${refused} tests were skipped: a skip counts as a failure here`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
