import { startVitest } from "vitest/node";

// Runs every test once and closes with the plain line `N passed, N failed`. A module that cannot be loaded and an
// unhandled error count as failed: they are not tests, so no reporter's total would show them.
const vitest = await startVitest("test", process.argv.slice(2), { watch: false });
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const passed = tests.filter((test) => test.result().state === "passed").length;
const skipped = tests.filter((test) => test.result().state === "skipped").length;
const failed = tests.length - passed - skipped;
const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
const unhandled = vitest.state.getUnhandledErrors().length;
await vitest.close();

console.log(`${passed} passed, ${failed + skipped + broken + unhandled} failed`);
if (skipped > 0) console.error(`${skipped} tests were skipped: a skip counts as a failure here`);
process.exitCode = passed > 0 && failed + skipped + broken + unhandled === 0 ? 0 : 1;
