import { compileSpec, type MergedFiles, type PullRequestQuestion } from "#libs/plan";
import { readVerdict } from "#test/world/words";
import { makeCluster, makeWorkload, sha } from "#test/world/build";
import { request, before, filesOf, fleet, half, headSha, mainSha, more, names, specOf } from "#test/world/pull-request";
import { describe, expect, it, test } from "vitest";

import { judgePullRequest } from "./judge-pull-request.ts";

describe("10.1 meshroll/plan", () => {
  const cases: readonly {
    readonly name: string;
    readonly question: PullRequestQuestion;
    readonly wantState: string;
    readonly wantTitle: RegExp;
    readonly wantSummary?: readonly (string | RegExp)[];
  }[] = [
    {
      name: "is green on a change that moves workloads, and shows which, desired and actual",
      question: request(filesOf(more)),
      wantState: "success",
      wantTitle: /^[1-9] of 10 namespaces move: \d+ workloads, \d+ pods$/,
      wantSummary: [
        /Moves \*\*[1-9] of 10\*\* managed namespaces/,
        "0 move back",
        /\| `production` \| 8 \| [1-9] \| 0 \| `new` 50 → 100 % \(actual \d+\.\d → 100\.0 %\)<br>`old` 50 → 0 %/,
        /\| one \| [1-9] \| [1-9] \| \d+ \|/,
        /\| `[a-h]` \| `old` \| `new` \| 1 \| one \|/,
        "digest-of-",
      ],
    },
    {
      name: "is neutral on a file that meshroll does not read",
      question: request({ kind: "untouched" }),
      wantState: "neutral",
      wantSummary: ["`CODEOWNERS`"],
      wantTitle: /changes nothing that meshroll reads/,
    },
    {
      name: "is green on a change of settings only, and says so",
      question: request(filesOf(half, "defaults:\n  batch: { batchSize: 5 }\n")),
      wantState: "success",
      wantTitle: /no bucket of rollouts.yml changes/,
      wantSummary: ["Values in `meshroll.yml` change"],
    },
    {
      name: "is red on a file that does not parse, with file, line and column",
      question: request(filesOf("production:\n  old: 50\n  new: 60\n")),
      wantState: "failure",
      wantTitle: /^rollouts\.yml:3:8 error\[MR1004\]: /,
      wantSummary: ["--> rollouts.yml:3:8", "new: 60", "= help:"],
    },
    {
      name: "is red on settings that do not parse",
      question: request(filesOf(half, "defaults:\n  batch: { batchSizes: 5 }\n")),
      wantState: "failure",
      wantTitle: /^meshroll\.yml:2:\d+ error/,
    },
    {
      name: "is red on a conflict, and says what fixes it",
      question: request({ kind: "conflict", paths: ["rollouts.yml"] }),
      wantState: "failure",
      wantTitle: /conflicts with main in rollouts\.yml/,
      wantSummary: ["merge main into the branch"],
    },
    {
      name: "is red if rollouts.yml is deleted",
      question: request({
        kind: "files",
        compiled: compileSpec(headSha, undefined, undefined),
        texts: {},
        campaigns: [],
        changed: ["rollouts.yml"],
      }),
      wantState: "failure",
      wantTitle: /rollouts\.yml:1:1 error\[MR1000\]/,
    },
    {
      name: "waits while no cluster was ever seen",
      question: request(filesOf(more), { snapshot: { clusters: new Map() } }),
      wantState: "pending",
      wantTitle: /no cluster was seen yet/,
    },
    {
      name: "names clusters whose last known state it counts",
      question: request(filesOf(more), { snapshot: { clusters: new Map([["one", { ...fleet, fresh: false }]]) } }),
      wantState: "success",
      wantTitle: /namespaces move/,
      wantSummary: ["Not seen now, and counted only as far as they were seen before: `one`"],
    },
    {
      name: "names a cluster of the newest run that is missing in the inventory",
      question: request(filesOf(more), { snapshot: { clusters: new Map([["two", { ...fleet, name: "two" }]]) } }),
      wantState: "success",
      wantTitle: /namespaces move/,
      wantSummary: ["Not seen now, and counted only as far as they were seen before: `one`"],
    },
    {
      name: "compares with the last commit that parsed while main does not",
      question: request(filesOf(more), {
        snapshot: {
          main: { head: sha("broken"), ageMs: 0, contained: true, vanished: [], points: [] },
        },
      }),
      wantState: "success",
      wantTitle: /namespaces move/,
    },
    {
      name: "says why it cannot compare",
      question: request(filesOf(more), { snapshot: { specs: new Map() } }),
      wantState: "success",
      wantTitle: /main does not/,
    },
    {
      name: "shows what people may notice",
      question: request(filesOf(more), {
        snapshot: {
          clusters: new Map([
            [
              "one",
              makeCluster(
                "one",
                names.map((name) => makeWorkload(`${name}/web`, { replicas: 1 })),
              ),
            ],
          ]),
        },
      }),
      wantState: "success",
      wantTitle: /namespaces move/,
      wantSummary: ["> [!WARNING]", "1 replica: its restart may be noticed"],
    },
  ];
  for (const { name, question, wantState, wantTitle, wantSummary } of cases) {
    it(name, () => {
      const { plan } = readVerdict(judgePullRequest(question));
      expect([plan.state, plan.title]).toEqual([wantState, expect.stringMatching(wantTitle)]);
      for (const part of wantSummary ?? []) expect(plan.summary).toMatch(part);
      expect(plan.title.length).toBeLessThanOrEqual(140);
    });
  }
});

test("10.1 the summary has a head for each table, only buckets that change, and no gaps", () => {
  const { plan } = readVerdict(judgePullRequest(request(filesOf(more))));
  for (const head of [
    "| bucket | namespaces | move | rollback | requested and actual |",
    "| cluster | namespaces | workloads | pods |",
    "| namespace | from | to | workloads | clusters |",
  ])
    expect(plan.summary).toContain(head);
  expect(plan.summary).not.toContain("| `.*-stg` |");
  expect(plan.summary).not.toMatch(/\n{3,}|undefined/u);
});

test("10.1 a revision that comes or goes is shown from or to 0 %", () => {
  const { plan } = readVerdict(
    judgePullRequest(request(filesOf(half.replace("old: 50\n  new: 50\n.*", "next: 50\n  new: 50\n.*")))),
  );
  expect(plan.summary).toContain("`next` 0 → 50 % (actual 0.0 → ");
  expect(plan.summary).toContain("`old` 50 → 0 % (actual ");
});

test("10.1 findings are shown with the lines of their own file, the first in the title", () => {
  const broken = filesOf("production:\n  old: 50\n  new: 60\n", "defaults:\n  batch: { batchSizes: 5 }\n  bake: no\n");
  const { plan } = readVerdict(judgePullRequest(request(broken)));
  expect(plan.title).toMatch(/^rollouts\.yml:3:8 error\[MR1004\].*\(and 2 more\)$/u);
  expect(plan.summary.match(/````text\n/gu)).toHaveLength(2);
  expect(plan.summary.match(/error\[/gu)).toHaveLength(3);
});

test("10.1 the title counts findings from two on", () => {
  const { plan } = readVerdict(judgePullRequest(request(filesOf("production:\n  old: 50\n  new: 60\n"))));
  expect(plan.title).not.toContain("more)");
  const tie = `${more}a-st.+:\n  old: 100\na-s.+g:\n  new: 100\n`;
  expect(readVerdict(judgePullRequest(request(filesOf(tie)))).plan.title).toMatch(/MR1007.*\(and 1 more\)$/u);
});

test("10.1 other changes are shown before the moves", () => {
  const parts = (files: MergedFiles) => readVerdict(judgePullRequest(request(files))).plan.summary;
  const [settings, campaigns] = ["Values in `meshroll.yml` change.", "Campaigns change: `campaigns/a.yml`."];
  const both = parts(filesOf(more, "defaults:\n  batch: { batchSize: 5 }\n"));
  expect(both.slice(0, both.indexOf("0 → 50 %"))).toContain(settings);
  expect(parts(filesOf(more, undefined, ["campaigns/a.yml"]))).toContain(campaigns);
  expect(parts(filesOf(more))).not.toMatch(/Values in|Campaigns change/u);
});

test("10.1 files that cannot be compared or read are no rollback, and move nothing", () => {
  const verdicts = [
    readVerdict(judgePullRequest(request(filesOf("production:\n  old: 50\n  new: 60\n")))),
    readVerdict(judgePullRequest(request(filesOf(`# why\n${half}`)))),
    readVerdict(judgePullRequest(request({ kind: "untouched" }))),
  ];
  expect(verdicts.map(({ isRollback, list }) => [isRollback, list])).toEqual(verdicts.map(() => [false, ""]));
});

test("10.1 without a common history there is nothing to compare", () => {
  const { plan, isRollback, list } = readVerdict(judgePullRequest(request({ kind: "conflict", paths: [] })));
  expect([plan.title, isRollback, list]).toEqual(["conflicts with main: they have no common history", false, ""]);
});

test("1.6 meshroll/plan is red on a change that moves nothing, with the fix", () => {
  const text = half.replace(".*-stg:", "empty-.*:\n  old: 100\n.*-stg:");
  const { plan } = readVerdict(judgePullRequest(request(filesOf(text))));
  expect([plan.state, plan.title]).toEqual(["failure", expect.stringContaining("MR1106")]);
  expect(plan.summary).toContain("help: raise the percentage until plan shows a move");
});

test("1.8 meshroll/plan is red on a tie that concerns a namespace of the fleet", () => {
  const text = `${more}a-st.+:\n  old: 100\na-s.+g:\n  new: 100\n`;
  const { plan } = readVerdict(judgePullRequest(request(filesOf(text))));
  expect([plan.state, plan.title]).toEqual(["failure", expect.stringContaining("MR1007")]);
});

describe("10.2 the list of workloads that move", () => {
  const many = Array.from({ length: 900 }, (_, index) => `team-with-a-rather-long-name-${index}`);
  const cluster = makeCluster(
    "one",
    many.flatMap((name) => [makeWorkload(`${name}/web`, { replicas: 1 }), makeWorkload(`${name}/api`)]),
  );
  const question = request(filesOf(more), { snapshot: { clusters: new Map([["one", cluster]]) } });

  it("is exact: namespace, bucket, from, to, cluster and workload, a line each", () => {
    const { list, plan } = readVerdict(judgePullRequest(question));
    const lines = list.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(700);
    expect(lines).toEqual(lines.toSorted());
    for (const line of lines)
      expect(line).toMatch(/^team-\S+\tproduction\told\tnew\tone\tteam-\S+\/Deployment\/(web|api)$/);
    expect(plan.summary).toContain(`digest-of-${list.length}`);
  });

  it("leaves out workloads that are migrated or stay skipped, as the counts do", () => {
    const few = makeCluster("one", [
      makeWorkload("a/old"),
      makeWorkload("a/there", {}, "new"),
      makeWorkload("a/out", { annotations: { "meshroll.dev/opt-out": "black friday" } }),
    ]);
    const main = specOf(mainSha, before);
    const { list: only, plan } = readVerdict(
      judgePullRequest(request(filesOf(more), { main, snapshot: { clusters: new Map([["one", few]]) } })),
    );
    expect(only).toBe("a\tproduction\told\tnew\tone\ta/Deployment/old\n");
    expect(plan.title).toBe("1 of 1 namespaces move: 1 workloads, 2 pods");
  });

  it("is shown completely up to a hundred workloads", () => {
    const hundred = makeCluster(
      "one",
      Array.from({ length: 100 }, (_, index) => makeWorkload(`n${index}/web`)),
    );
    const main = specOf(mainSha, before);
    const { plan } = readVerdict(
      judgePullRequest(request(filesOf(more), { main, snapshot: { clusters: new Map([["one", hundred]]) } })),
    );
    expect(plan.summary).toContain("<summary>Namespaces that move</summary>");
  });

  it("has no digest if nothing moves", () => {
    const empty = { snapshot: { clusters: new Map([["one", makeCluster("one", [])]]) } };
    expect(readVerdict(judgePullRequest(request(filesOf(more), empty))).plan.summary).not.toContain("digest-of");
  });

  it("is cut after a hundred workloads, within GitHub's limit", () => {
    const { plan } = readVerdict(judgePullRequest(question));
    expect(plan.summary.match(/^\| `team-/gmu)).toHaveLength(100);
    expect(plan.summary).toMatch(/the first 100 of \d+/);
    expect(Buffer.byteLength(plan.summary)).toBeLessThan(65_535);
  });

  it("is shown apart from findings, of which the first fifty are shown and the others counted", () => {
    const text = Array.from({ length: 3000 }, (_, index) => `b${index}:\n  x: 1\n`).join("");
    const { plan } = readVerdict(judgePullRequest(request(filesOf(text))));
    expect(plan.summary.match(/^error\[/gmu)).toHaveLength(50);
    expect(plan.summary).toMatch(/\n951 more findings are not shown\.$/u);
  });
});
