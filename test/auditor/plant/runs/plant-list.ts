import type { AuditedRun, AuditedWrite, Evidence } from "../../evidence/evidence.ts";
import {
  api,
  apiKey,
  byOwner,
  commit,
  commits,
  file,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  send,
  settled,
  stop,
  web,
  webKey,
} from "../plant.ts";

/** Only `web` moved, by a run with this list; `after`: writes after its end. */
function moveWeb(change: Partial<AuditedRun>, after: readonly AuditedWrite[] = []): Evidence {
  const done = run(runId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey], ...change });
  return make(
    {
      writes: [move(web, 20, "new"), ...after],
      statuses: [settled(web, 25)],
      pods: [{ at: 24, path: web, revisions: ["new"] }],
    },
    { ledger: { stops: [], runs: [{ ...done, skipped: [...done.skipped, apiKey] }] } },
  );
}

const both = make(
  {
    writes: [move(web, 20, "new"), move(api, 30, "new")],
    statuses: [settled(web, 25), settled(api, 35)],
    pods: [
      { at: 24, path: web, revisions: ["new"] },
      { at: 34, path: api, revisions: ["new"] },
    ],
  },
  { ledger: { stops: [], runs: [run(runId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey] })] } },
);

const back = commit({ sha: "2".repeat(40), at: 30 });
const backId = back.sha.slice(0, 12);

/** A stage that lowers the share: its run undoes what the first run wrote. */
const setBack = make(
  {
    writes: [move(web, 20, "new"), move(web, 40, "old", backId)],
    statuses: [settled(web, 25), settled(web, 45)],
    pods: [
      { at: 5, path: api, revisions: ["old"] },
      { at: 44, path: web, revisions: ["old"] },
    ],
  },
  {
    main: [...commits, back],
    ledger: {
      stops: [stop({ id: "return-1", scope: "bucket/production", rollbackOf: backId, at: 30 })],
      runs: [run(runId), run(backId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey] })],
    },
  },
);

const next = commit({ sha: "3".repeat(40), at: 35, rollouts: `${file(100)}shop-x:\n  new: 100\n` });
const nextId = next.sha.slice(0, 12);

/**
 * A run that listed `web` alone ends at `endedAt`; then a later run (or the one of `by`; "" is the owner) moves `api` too. A
 * rollback at once of the first run follows: `last` is its write to `api`, which its pull request did not list.
 */
function rollBackBoth(last: AuditedWrite, endedAt: number, by = nextId, more: Partial<AuditedRun> = {}): Evidence {
  const over = { state: "done", endedAt, endedAtLatest: endedAt, list: [webKey], ...more };
  const takeBack = stop({ id: "r", scope: `run/${runId}`, revertTo: commits[0]?.sha ?? "", now: true, at: 50 });
  return make(
    {
      writes: [
        move(web, 20, "new"),
        by === "" ? byOwner(api, 40, "new") : move(api, 40, "new", by),
        move(web, 55, "old", runId),
        last,
      ],
      statuses: [settled(web, 25), settled(api, 45), settled(web, 56), settled(api, 58)],
      pods: [
        { at: 24, path: web, revisions: ["new"] },
        { at: 44, path: api, revisions: ["new"] },
        { at: 56, path: web, revisions: ["old"] },
        { at: 58, path: api, revisions: ["old"] },
      ],
    },
    {
      main: [...commits, next],
      ledger: { stops: [takeBack], runs: [run(runId, { ...over, skipped: [apiKey] }), run(nextId)] },
    },
  );
}

const group = "/apis/networking.istio.io/v1/namespaces/shop/workloadgroups/db";
const groupKey = "one:shop/WorkloadGroup/db";

/** A group of VMs was moved by a run too. */
function moveGroup(list: readonly string[]): Evidence {
  const previous = JSON.stringify({ template: { labels: { "istio.io/rev": null } } });
  const annotations = {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": previous,
    "meshroll.dev/revision": "new",
  };
  return moveWeb({ list }, [send(group, 22, { metadata: { resourceVersion: "1", annotations } })]);
}

/** The list of a pull request compared with what was moved. */
export const listCases: PlantedCases = {
  "what was listed moved": { evidence: moveWeb({}), want: [] },
  "what was listed was rolled back": { evidence: setBack, want: [] },
  "a workload moved that was not listed": { evidence: both, want: ["listKept"] },
  "a listed workload did not move": { evidence: moveWeb({ list: [webKey, apiKey] }), want: ["listKept"] },
  "a listed workload did not move, and the end says why": {
    evidence: moveWeb({ list: [webKey, apiKey], differences: [apiKey] }),
    want: [],
  },
  "a listed group of VMs moved": { evidence: moveGroup([webKey, groupKey]), want: [] },
  "a group of VMs moved that was not listed": { evidence: moveGroup([webKey]), want: ["listKept"] },
  "a listed group of VMs did not move": { evidence: moveWeb({ list: [webKey, groupKey] }), want: ["listKept"] },
  "a run that is not over may still have unmoved workloads": {
    evidence: moveWeb({ list: [webKey, apiKey], state: "open" }),
    want: [],
  },
  "a rollback at once of a run that is over undoes what a later run moved": {
    evidence: rollBackBoth(move(api, 57, "old", runId), 30),
    want: [],
  },
  "a rollback at once of a run that is open undoes what a later run moved": {
    evidence: rollBackBoth(move(api, 57, "old", runId), 59),
    want: [],
  },
  "a rollback at once of a run that is open undoes what its owner had moved": {
    evidence: rollBackBoth(move(api, 57, "old", runId), 59, ""),
    want: ["listKept"],
  },
  "the same of a run that was over then, and that a retry opened again later": {
    evidence: rollBackBoth(move(api, 57, "old", runId), 90, "", {
      earlierEnds: [{ endedAt: 50, reopenedAt: 58 }],
    }),
    want: [],
  },
  "the same of a run that a retry had opened again before": {
    evidence: rollBackBoth(move(api, 57, "old", runId), 90, "", {
      earlierEnds: [{ endedAt: 50, reopenedAt: 56 }],
    }),
    want: ["listKept"],
  },
};
