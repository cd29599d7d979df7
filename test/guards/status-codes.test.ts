import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { listReasonCodes } from "#libs/wording";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where other codes of a status are written: states, causes of skips, events. Codes of reasons are in libs/wording. */
const folders = [
  "libs/plan",
  "libs/fleet",
  "libs/injection",
  "libs/repository",
  "libs/wording/status",
  "libs/ledger",
  "services/planner",
  "services/executor",
];

/** Words of the same shape that are not codes of a status. A new one needs a reason to be here, or a row in the page. */
const others: Readonly<Record<string, readonly string[]>> = {
  "reasons of transitions and batches, in the planner's log": [
    "Archived BakeRestarted BaselineRecorded BakeSaved BatchReady Converging ForeignJob NothingLeft",
    "GateCounted GatePassed MainChanged NothingChanged NothingToConverge NothingToResume NothingToRetry Retried RollbackReady",
    "RollbackOver RunEnded StageProposed StopKnown StopResumed StopPlaced TooMuchToConverge WaveDone WaveOpened WaveReopened",
  ],
  "a failed move, which the status shows by the word of its annotation; and why its undo is finished, in the log": [
    "MoveFailed NamespaceFailed Arrived ServedAgain",
  ],
  "what doctor says of a Redis; a planner waits for none of it": ["QueueEvicts QueueForgets QueueTooOld QueueUnknown"],
  "events of what comes, documented below the table of campaigns": [
    "BakeEnds BatchesBegin BatchesEnd DeploysEnd ExclusionEnds FreezeBegins FreezeEnds PullRequestMerges PullRequestOpens",
    "WindowCloses WindowOpens",
  ],
  "what a gate found, which a status shows with the gate's verdict, value and limit": [
    "FirstMeasurement MatchingPods Measured NoPods NoProxies NoneMigrated NotMeasuring NothingTried",
    "RefusingProxies SilentIstiods SyncedProxies TooFewWorkloads TriedWorkloads",
  ],
  "what comes, which a status tells by its event; how a run is undone or paused, told by its command": [
    "AtWork Batches CalendarCloses CalendarOpens Campaign CampaignThrough DeadlineComes Deploys Fleet FleetBatches HealthNeeded",
    "IsRollback NoRun RollbackBatches",
    "MovesAgain PersonNeeded PullRequestStays ReadableMainNeeded RollsBack Run StageHeldBack StageStarts StagesThrough TakesBack",
    "WaitsEnd",
  ],
  "why a run is not rolled back, in the sentence of `RollbackRefused`": [
    "CommitVanished ForwardAtOnce IsConverging IsRollback NeverOnMain NoSuchRun RolledBackSince",
  ],
  "why the planner places or resumes a stop of its own, in the words of its record": [
    "CampaignUnread EntryUnreadable KubectlStop OtherCluster PullClosed RollbackAsked RollbackOn RunOver SaidByMain TooManyFailures",
  ],
  "what became of a listed workload, in the record of its run": ["Skipped TakenBack TakenOver"],
  "what is wrong with a stop in a cluster's ConfigMap, in the problems of that cluster": [
    "EntryHolds FieldsIgnored NotRecordable OtherInstallation",
  ],
  "why a pull request needs one approval more, in the summary of its check": [
    "CommitUnknown CommitsUnread StageChanged",
  ],
  "why an owner may notice a move, in a pull request and in `plan`": [
    "AppliedByServer BudgetIgnored Idle NeedsPromotion NoDisruption OneReplica UnhealthyBefore VmGroup Waiting",
  ],
  "what the branch demands and a pull request lacks, in the sentence of `StageRefused` and `RollbackMergeRefused`": [
    "BranchBehind",
    "CommitsUnsigned",
  ],
  "why only a person can write a rollback, in the sentence of `RollbackByHand`": [
    "BeforeUnread MainUnread NeedsReformat NoFileBefore NoFileOnMain NotAlone",
  ],
  "what is wrong with files as a whole, in the words of a finding": ["MovesNothing NoRollouts TooManyCampaigns"],
  "what a command pauses, in a status of one cluster": ["Cluster"],
  "states and kinds of the status itself": ["CampaignStatus FleetStatus InProgress RolledBack"],
  "the table of namespaces and the report of a run, which the page of the HTTP API documents": [
    "NamespaceTable OnTrack RunReport",
  ],
  "a warning in the executor's log, documented with its configuration": ["GitTokenMayPush"],
  "reasons of Events on workloads, which docs/reference/kubernetes-events.md documents": [
    "RevisionMigrated RevisionMigrating RevisionMigrationFailed RevisionMigrationSkipped RevisionRolledBack",
  ],
  "reasons of a kubelet, which are told with what the pods said": [
    "ContainerCreating CrashLoopBackOff ErrImageNeverPull ErrImagePull ImageInspectError ImagePullBackOff InvalidImageName",
    "PodInitializing RegistryUnavailable SignatureValidationFailed",
  ],
  "what agents of VMs say, which docs/how-to/upgrade-vms.md documents": [
    "AgentTooOld ArtifactRefused FloorNotMet NothingRuns",
  ],
  "why the next VM of a group waits, in `meshroll get vms`, which docs/how-to/upgrade-vms.md documents": [
    "BudgetUsed Held Spread",
  ],
  "kinds of Kubernetes, values of files": ["DaemonSet StatefulSet WorkloadGroup FailFast OnDeploy"],
};

function listSources(): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)(?:fake|conformance)/.test(name))
      .map((name) => readFileSync(`${root}/${folder}/${name}`, "utf8")),
  );
}

/** Literals of several capitalised words, and any literal after `code:`. */
function findCodes(source: string): readonly string[] {
  const words = [...source.matchAll(/"([A-Z][a-z]+(?:[A-Z][a-zA-Z]*)+)"/g)];
  const named = [...source.matchAll(/\bcode: "([A-Z][a-z]\w+)"/g)];
  return [...words, ...named].map(([, word = ""]) => word);
}

/** First cells of tables whose first column is `code`. */
function readRows(page: string): readonly string[] {
  const tables = page.split(/\n{2,}/).filter((part) => /^\| code +\|/m.test(part));
  const cells = tables.flatMap((table) => [...table.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = ""]) => cell));
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code));
}

const page = readFileSync(`${root}/docs/reference/status.md`, "utf8");
const known = new Set(Object.values(others).flatMap((lines) => lines.flatMap((line) => line.split(" "))));

describe("docs/reference/status.md", () => {
  const codes = new Set([...listReasonCodes(), ...listSources().flatMap(findCodes)]);
  const rows = readRows(page);

  it("has a row for each code that the source can put into a status", () => {
    expect(rows.length).toBeGreaterThan(80);
    expect([...codes].filter((code) => !known.has(code) && !rows.includes(code)).toSorted()).toEqual([]);
  });

  it("has no row for an unknown code, and no code twice", () => {
    const text = listSources().join("\n");
    const isKnown = (code: string): boolean =>
      codes.has(code) || text.includes(`"${code}"`) || text.includes(`${code}:`);
    expect(rows.filter((code) => !isKnown(code))).toEqual([]);
    expect(rows.filter((code, index) => rows.indexOf(code) !== index)).toEqual([]);
  });

  it("says what to do in each row", () => {
    const tables = page.split(/\n{2,}/).filter((part) => /^\| code +\|/m.test(part));
    const lines = tables.flatMap((table) => table.split("\n").filter((line) => line.startsWith("| `")));
    expect(lines.filter((line) => line.split(" | ").length !== 3)).toEqual([]);
  });

  it("has no exception for a word that the source does not have", () => {
    expect([...known].filter((word) => !codes.has(word))).toEqual([]);
  });
});

it.each([
  { source: 'return { code: "Stuck", message }', want: ["Stuck"] },
  { source: 'refuse("wait", "ControlAhead")', want: ["ControlAhead"] },
  { source: "const a = `ControlAhead`; // ControlAhead", want: [] },
])("a code is found in $source", ({ source, want }) => expect(findCodes(source)).toEqual(want));
