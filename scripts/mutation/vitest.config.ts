import process from "node:process";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: (process.env["MESHROLL_MUTATION_TESTS"] ?? "").split(","),
    // How much memory or time something takes cannot be measured beside the counters that each mutant needs.
    exclude: ["**/node_modules/**", "**/*-memory.test.ts", "libs/rollouts/config-faults.test.ts"],
    testTimeout: 60_000,
  },
});
