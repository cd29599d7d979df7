import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { listFiles } from "../../scripts/guards/list-files.ts";
import { faults } from "../integration/faults/list.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Row {
  readonly down: string;
  /** Names in the last column. */
  readonly tests: readonly string[];
}

/** The rows of the page's table, without its head. */
function readRows(page: string): readonly Row[] {
  const lines = page.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(" | ");
    const tests = [...(cells.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    return { down: cells[0] ?? "", tests };
  });
}

/** Names in the table that are neither a fault nor the whole title of a test. */
function findUnproven(rows: readonly Row[], names: readonly string[], sources: readonly string[]): readonly string[] {
  return rows.flatMap(({ down, tests }) => {
    const unknown = tests.filter(
      (test) => !names.includes(test) && !sources.some((text) => text.includes(`"${test}"`)),
    );
    return [...(tests.length === 0 ? [`${down}: no test is named`] : []), ...unknown];
  });
}

const rows = readRows(readFileSync(`${root}/docs/explanation/failure.md`, "utf8"));
const names = faults.map(({ name }) => name);

describe("docs/explanation/failure.md", () => {
  it("has a row for everything that can be down", () => {
    const want = [
      "planner",
      "executor",
      "planner or executor in a crash loop",
      "planner or executor that gets SIGTERM in the middle of a batch",
      "notifier",
      "api",
      "Redis",
      "NATS",
      "Redis full",
      "NATS' disk full",
      "the disk of planner or executor full",
      "Redis and NATS wiped",
      "git or GitHub",
    ];
    const more = [
      "one API server",
      "the way into one cluster (an expired token, another CA, a missing file of the kubeconfig)",
      "a watch that stalls without closing",
      "one cluster for a week",
      "the right to write",
      "istiod of the target",
      "Slack",
      "Prometheus",
    ];
    const ledger = "the ledger cannot be read (an edit by hand, another version's record), or was set back";
    const campaign = "a campaign's file on main does not parse, or contradicts another one";
    const signatures = [
      "the ledger's newest commit is signed by no key that main names (a person pushed, or a key was changed too early)",
      "the planner's key for the ledger is missing, or main does not name it",
    ];
    const rewritten = "main was rewritten (forced push)";
    const last = ["main does not parse", campaign, rewritten, ledger, ...signatures, "everything of ours"];
    expect(rows.map(({ down }) => down)).toEqual([...want, ...more, ...last]);
  });

  it("names only tests that there are", () => {
    const files = listFiles(root).filter((path) => path.startsWith("test/flow/") && path.endsWith(".test.ts"));
    const sources = files.map((path) => readFileSync(`${root}/${path}`, "utf8"));
    expect(findUnproven(rows, names, sources)).toEqual([]);
  });

  it("faults have names of their own that a shell needs no quotes for", () => {
    expect(names.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a row that nothing proves is found", () => {
  const cases = [
    { name: "a fault", tests: ["kill-planner"], want: [] },
    { name: "a test's whole title", tests: ["7.2 a planner is back"], want: [] },
    { name: "a part of a title", tests: ["7.2 a planner"], want: ["7.2 a planner"] },
    { name: "nothing", tests: [], want: ["planner: no test is named"] },
  ];

  it.each(cases)("$name", ({ tests, want }) => {
    const sources = ['test("7.2 a planner is back", async () => {});'];
    expect(findUnproven([{ down: "planner", tests }], ["kill-planner"], sources)).toEqual(want);
  });
});
