import { countVms, judgeVms, type Vm, type VmState } from "#libs/fleet";
import { describe, expect, test } from "vitest";

import { planVmTags, type VmTagQuestion } from "./plan-vm-tags.ts";

const group = { cluster: "one", namespace: "db", name: "ledger" };
const noon = Date.parse("2026-11-28T12:00:00Z");
const day = 86_400_000;

/** A VM in this state, towards `new`. */
const sketches: Readonly<
  Record<string, Partial<Vm["report"]> & { readonly tag: string | null; readonly state: VmState }>
> = {
  ready: { tag: "new", revision: "new", state: "ready" },
  outdated: { tag: "old", revision: "old", state: "outdated" },
  untagged: { tag: null, revision: "new", state: "ready" },
  upgrading: { tag: "new", revision: "old", state: "upgrading" },
  failed: { tag: "new", revision: "old", code: "Quarantined", state: "failed" },
  sick: { tag: "old", revision: "old", ready: false, state: "unhealthy" },
  fresh: { tag: null, revision: null, ready: false, state: "unhealthy" },
  silent: { tag: "old", revision: "old", state: "unknown" },
  absent: { tag: "old", revision: "old", state: "absent" },
  strayed: { tag: "old", revision: "new", state: "unknown" },
  blamed: { tag: "old", revision: "old", address: "10.0.0.9", state: "unhealthy" },
  hushed: { tag: "new", revision: "old", state: "unknown" },
  turned: { tag: "newer", revision: "old", state: "upgrading" },
};

const unavailableKinds = Object.keys(sketches).filter(
  (kind) => !["ready", "outdated", "absent"].includes(sketches[kind]?.state ?? ""),
);

function makeVm(kind: string, at: number): Vm {
  const { state, tag, ...said } = sketches[kind] ?? { state: "ready", tag: "new" };
  const report = {
    at: "2026-11-28T11:59:30Z",
    agent: "0.1.0",
    address: "10.0.0.1",
    revision: "old",
    attempted: null,
    inProgress: false,
    ready: true,
    code: "UpToDate",
    message: "",
    ...said,
    tag,
  };
  return {
    group,
    name: `${kind}-${at}`,
    report,
    ...(tag === null ? {} : { tag }),
    ...(state === "unknown" ? {} : { reportAgeMs: 0 }),
    ...(state === "absent" ? { stopped: true } : {}),
  };
}

interface Case {
  readonly name: string;
  /** Kinds of VMs, and how many of each. */
  readonly vms: Readonly<Record<string, number>>;
  readonly allowed?: number;
  readonly change?: Partial<VmTagQuestion>;
  readonly tags: readonly string[];
  readonly wait?: string;
}

function ask({ vms, allowed = 2, change }: Pick<Case, "vms" | "allowed" | "change">) {
  const all = Object.entries(vms).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) => makeVm(kind, at)),
  );
  const judged = judgeVms(all, {
    revision: "new",
    entries: new Map([["10.0.0.1", true]]),
    now: noon,
    heardForMs: 600_000,
  });
  const { vms: counts } = countVms(judged, "new", allowed);
  const question: VmTagQuestion = {
    revision: "new",
    vms: judged,
    counts,
    hold: undefined,
    isBack: false,
    since: noon,
    now: noon,
    deadline: 0,
    ...change,
  };
  const { tags, wait } = planVmTags(question);
  return { tags: tags.map(({ name }) => name), wait: wait?.code };
}

const tenDays = { deadline: 10 * day };

describe("planVmTags", () => {
  const cases: readonly Case[] = [
    { name: "as many as may be unavailable", vms: { outdated: 5 }, tags: ["outdated-0", "outdated-1"] },
    { name: "one that is upgraded takes a place", vms: { outdated: 5, upgrading: 1 }, tags: ["outdated-0"] },
    {
      name: "failed and silent ones take places too",
      vms: { outdated: 5, failed: 1, silent: 1 },
      tags: [],
      wait: "BudgetUsed",
    },
    { name: "a silent or absent one is not tagged forward", vms: { silent: 1, absent: 1 }, tags: [] },
    { name: "a broken one comes last", vms: { outdated: 1, sick: 1 }, tags: ["outdated-0"], change: { ...tenDays } },
    {
      name: "a broken one takes no place, because it is unavailable already",
      vms: { sick: 1 },
      allowed: 1,
      tags: ["sick-0"],
    },
    { name: "a new one gets what its group asks for at once", vms: { fresh: 1, failed: 2 }, tags: ["fresh-0"] },
    { name: "a tag that was lost is written again", vms: { untagged: 1, failed: 2 }, tags: ["untagged-0"] },
    { name: "nothing is left", vms: { ready: 3, failed: 1 }, tags: [] },
    {
      name: "the first one is due at once, the next with its share of the deadline",
      vms: { outdated: 10 },
      change: tenDays,
      tags: ["outdated-0"],
    },
    {
      name: "the second one is not due before its share has passed",
      vms: { outdated: 9, ready: 1 },
      change: { ...tenDays, now: noon + day - 1 },
      tags: [],
      wait: "Spread",
    },
    {
      name: "late ones are caught up, within the budget",
      vms: { outdated: 9, ready: 1 },
      change: { ...tenDays, now: noon + 5 * day },
      tags: ["outdated-0", "outdated-1"],
    },
    {
      name: "after the deadline all are due, within the budget",
      vms: { outdated: 4 },
      change: { ...tenDays, now: noon + 20 * day },
      tags: ["outdated-0", "outdated-1"],
    },
    {
      name: "an unknown begin is no passed time",
      vms: { outdated: 4, ready: 1 },
      change: { ...tenDays, since: undefined },
      tags: [],
      wait: "Spread",
    },
    {
      name: "a stop holds what would be upgraded, and nothing else",
      vms: { outdated: 2, untagged: 1, fresh: 1 },
      change: { hold: { code: "ControlUnknown" } },
      tags: ["untagged-0", "fresh-0"],
      wait: "Held",
    },
    {
      name: "a stop that holds none is not named",
      vms: { ready: 2 },
      change: { hold: { code: "ControlUnknown" } },
      tags: [],
    },
    {
      name: "back: broken ones at once, others within the budget, whatever the deadline",
      vms: { outdated: 4, turned: 1, silent: 1, absent: 1 },
      allowed: 3,
      change: { isBack: true, ...tenDays },
      tags: ["turned-0", "outdated-0"],
      wait: "BudgetUsed",
    },
    {
      name: "back: silent ones may serve, and are not tagged: after a restart of the executor all are silent",
      vms: { silent: 10 },
      change: { isBack: true },
      tags: [],
    },
    {
      name: "a silent one that was tagged otherwise, and runs the revision, gets its tag: it must not install the other one",
      vms: { strayed: 1 },
      change: { isBack: true },
      tags: ["strayed-0"],
    },
    {
      name: "VMs that only their WorkloadEntries call unhealthy need room, in both directions",
      vms: { blamed: 10 },
      change: { isBack: true },
      tags: [],
      wait: "BudgetUsed",
    },
    { name: "and forward", vms: { blamed: 10 }, tags: [], wait: "BudgetUsed" },
    {
      name: "a silent one on its way takes a place of those in hand",
      vms: { outdated: 4, hushed: 2 },
      tags: [],
      wait: "BudgetUsed",
    },
    {
      name: "one whose tag was refused lately holds up no other",
      vms: { outdated: 3 },
      allowed: 1,
      change: { refused: new Set(["outdated-0"]) },
      tags: ["outdated-1"],
    },
  ];
  test.each(cases)("$name", ({ tags, wait, ...given }) => {
    expect(ask(given)).toEqual({ tags, wait });
  });

  test("unavailable VMs stay within the budget, whatever is known of the others", () => {
    for (let seed = 0; seed < 2000; seed += 1) {
      const draw = (most: number, salt: number) => ((seed * 7919 + salt * 104_729) % 9973) % (most + 1);
      const kinds = Object.keys(sketches);
      const vms = Object.fromEntries(kinds.map((kind, at) => [kind, draw(4, at + 1)]));
      const allowed = 1 + draw(4, 11);
      const unavailable = unavailableKinds.reduce((sum, kind) => sum + (vms[kind] ?? 0), 0);
      const { tags } = ask({ vms, allowed });
      const more = tags.filter((name) => name.startsWith("outdated")).length;
      expect(more).toBeLessThanOrEqual(Math.max(0, allowed - unavailable));
    }
  });
});
