import type { Artifact, Manifest } from "#libs/artifact";
import { describe, expect, it } from "vitest";

import { decideNext } from "./decide-next.ts";
import type { Facts, Rules } from "./facts.ts";
import { type AgentState, beginTrial, firstState, giveUp, keepTrial, recordLaunch, turnBack } from "./state.ts";

const rules: Rules = { version: "1.4.0", readyWithinMs: 40_000, settleMs: 10_000, probationMs: 600_000 };

const digestOf = (revision: string): string => Buffer.from(revision).toString("hex").padEnd(64, "0");
const named = (revision: string) => ({ digest: digestOf(revision), revision });

function offer(revision: string, more: Partial<Manifest> = {}): Artifact {
  const manifest: Manifest = {
    formatVersion: 1,
    revision,
    platform: "linux-x64",
    discoveryAddress: `istiod-${revision}:15012`,
    start: "start",
    files: [{ name: "start", sha256: digestOf("start"), length: 1, executable: true }],
    ...more,
  };
  return { digest: digestOf(revision), manifest, bytes: new Uint8Array() };
}

const keptOld: AgentState = keepTrial(beginTrial(firstState, named("old")));
const keptBoth: AgentState = keepTrial(beginTrial(keptOld, named("mid")));
const tried = recordLaunch(beginTrial(keptOld, named("new")), "boot");
const goingBack = recordLaunch(turnBack(tried, "ProxyNotReady"), "boot");

function facts(more: Partial<Facts> = {}): Facts {
  const state = more.state ?? keptOld;
  return {
    state,
    current: state.kept?.digest,
    slots: [digestOf("old"), digestOf("mid")],
    tag: { kind: "revision", revision: "new" },
    offer: { kind: "artifact", artifact: offer("new") },
    running: state.kept?.digest,
    readyForMs: 60_000,
    runsForMs: 60_000,
    keptForMs: Number.POSITIVE_INFINITY,
    restarts: 0,
    controlPlaneAnswers: true,
    boot: "boot",
    now: 1_000_000_000,
    ...more,
  };
}

/** During the trial: the new slot is live, and its process runs. */
const onTrial = (more: Partial<Facts>): Facts =>
  facts({ state: tried, current: digestOf("new"), running: digestOf("new"), ...more });
const onWayBack = (more: Partial<Facts>): Facts => facts({ state: goingBack, current: digestOf("old"), ...more });
const slots = [digestOf("old"), digestOf("new")];
const withOffer = (more: Partial<Manifest>): Partial<Facts> => ({
  slots,
  offer: { kind: "artifact", artifact: offer("new", more) },
});

interface Case {
  readonly name: string;
  readonly facts: Facts;
  readonly want: object;
}

const cases: readonly Case[] = [
  {
    name: "the kept slot is started, if it does not run, before files are fetched",
    facts: facts({ running: undefined }),
    want: { do: "restart" },
  },
  {
    name: "where that did not help, the files are fetched: they may fix it",
    facts: facts({ running: undefined, restarts: 1 }),
    want: { do: "stage" },
  },
  {
    name: "a tag that is not set changes nothing",
    facts: facts({ tag: { kind: "unset" } }),
    want: { because: { code: "TagUnset" } },
  },
  {
    name: "a tag that cannot be read changes nothing",
    facts: facts({ tag: { kind: "unknown", why: "junk" } }),
    want: { because: { code: "TagUnknown" } },
  },
  {
    name: "a store that is not reached changes nothing",
    facts: facts({ offer: { kind: "unavailable", why: "down" } }),
    want: { because: { code: "StoreUnavailable" } },
  },
  { name: "an artifact that is not on the disk is fetched", facts: facts(), want: { do: "stage" } },
  {
    name: "an artifact on the disk begins its trial",
    facts: facts({ slots }),
    want: { do: "begin", to: named("new") },
  },
  {
    name: "the live artifact goes on",
    facts: facts({ tag: { kind: "revision", revision: "old" }, offer: { kind: "artifact", artifact: offer("old") } }),
    want: { because: { code: "UpToDate", revision: "old" } },
  },
  {
    name: "an artifact that failed here once is not tried again",
    facts: facts({ slots, state: { ...keptOld, failed: [{ ...named("new"), failure: "ProxyDied" }] } }),
    want: { because: { code: "Quarantined", failure: "ProxyDied" } },
  },
  {
    name: "an artifact for a newer agent waits for it",
    facts: facts(withOffer({ minimumAgent: "1.10.0" })),
    want: { because: { code: "AgentTooOld", needs: "1.10.0", has: "1.4.0" } },
  },
  {
    name: "one for an older agent does not",
    facts: facts(withOffer({ minimumAgent: "1.4.0" })),
    want: { do: "begin" },
  },
  {
    name: "a floor that was never run is not skipped",
    facts: facts(withOffer({ after: ["mid"] })),
    want: { because: { code: "FloorNotMet", after: ["mid"] } },
  },
  {
    name: "a floor that was run once is passed",
    facts: facts({ ...withOffer({ after: ["mid"] }), state: keptBoth }),
    want: { do: "begin" },
  },
  {
    name: "a floor that was only attempted is not passed",
    facts: facts({ ...withOffer({ after: ["mid"] }), state: { ...keptOld, attempted: named("mid") } }),
    want: { because: { code: "FloorNotMet" } },
  },
  {
    name: "a new VM has nothing to skip",
    facts: facts({ ...withOffer({ after: ["mid"] }), state: firstState, running: undefined }),
    want: { do: "begin" },
  },
  {
    name: "a control plane that does not answer is waited for before the switch",
    facts: facts({ slots, controlPlaneAnswers: false }),
    want: { because: { code: "ControlPlaneSilent", address: "istiod-new:15012" } },
  },
  {
    name: "a clock that was set back installs nothing",
    facts: facts({ slots, state: { ...keptOld, newestTime: 2_000_000_000 } }),
    want: { because: { code: "ClockWentBack" } },
  },
  {
    name: "a switch that was begun is carried out",
    facts: facts({ state: beginTrial(keptOld, named("new")) }),
    want: { do: "switch", trial: named("new") },
  },
  {
    name: "a switch that lost its power after the swap starts the new one again",
    facts: onTrial({ running: undefined, boot: "next boot" }),
    want: { do: "switch", trial: named("new") },
  },
  {
    name: "a tag that flips meanwhile does not interrupt a switch",
    facts: onTrial({ tag: { kind: "unset" } }),
    want: { do: "keep" },
  },
  {
    name: "a trial that is ready for a moment is watched",
    facts: onTrial({ readyForMs: 9_999 }),
    want: { because: { code: "Settling" } },
  },
  {
    name: "a trial that was ready for long enough is kept",
    facts: onTrial({ readyForMs: 10_000 }),
    want: { do: "keep" },
  },
  {
    name: "a trial that is not ready in time is taken back",
    facts: onTrial({ readyForMs: 0, runsForMs: 40_000 }),
    want: { do: "turnBack", because: "ProxyNotReady" },
  },
  {
    name: "but not for a control plane that does not answer",
    facts: onTrial({ readyForMs: 0, runsForMs: 40_000, controlPlaneAnswers: false }),
    want: { because: { code: "ControlPlaneSilent" } },
  },
  {
    name: "a trial whose proxy ends is taken back at once",
    facts: onTrial({ running: undefined }),
    want: { do: "turnBack", because: "ProxyDied" },
  },
  {
    name: "the first install has nothing to go back to",
    facts: onTrial({ state: recordLaunch(beginTrial(firstState, named("new")), "boot"), running: undefined }),
    want: { do: "giveUp", because: "ProxyDied" },
  },
  { name: "the way back is kept as the way forward is", facts: onWayBack({}), want: { do: "keep" } },
  {
    name: "the slot that was gone back to is started again",
    facts: onWayBack({ running: undefined }),
    want: { do: "switch" },
  },
  {
    name: "and given up after three starts: the VM stays as it is",
    facts: onWayBack({ running: undefined, state: recordLaunch(recordLaunch(goingBack, "boot"), "boot") }),
    want: { do: "giveUp" },
  },
  {
    name: "an agent that gave up says so until another revision is tagged",
    facts: facts({ state: giveUp(goingBack, "ProxyDied"), running: undefined, slots }),
    want: { because: { code: "NothingRuns", failure: "ProxyDied" } },
  },
  {
    name: "a proxy that ends soon after its slot was kept has failed",
    facts: facts({ state: keptBoth, tag: { kind: "unset" }, running: undefined, keptForMs: 240_000 }),
    want: { do: "turnBack", because: "ProxyDied" },
  },
  {
    name: "one that ends later is started again",
    facts: facts({ state: keptBoth, tag: { kind: "unset" }, running: undefined, keptForMs: 600_000 }),
    want: { do: "restart", kept: named("mid") },
  },
];

describe("what the agent does next", () => {
  it.each(cases)("$name", ({ facts: given, want }) => {
    expect(decideNext(given, rules)).toMatchObject(want);
  });
});
