import { parseCLI, startVitest } from "vitest/node";

// Runs every test once but the end-to-end ones, or those that the arguments choose, and closes with the plain line `N passed, N failed`.
// A module that cannot be loaded and an unhandled error count as failed: they are not tests, so no reporter's total
// would show them. A skipped test counts as failed too, unless names were asked for (`-t`): then the rest is skipped.
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)], { allowUnknownOptions: false });
// What starts the services as processes has a step of its own in CI; who asks for a file or a project gets it.
const isWhole = filter.length === 0 && options.project === undefined && options.testNamePattern === undefined;
const chosen = isWhole ? { project: "!e2e" } : {};
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

if (refused > 0) console.log(`${refused} tests were skipped: a skip counts as a failure here`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
