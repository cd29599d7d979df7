import type { AuditedRequest, AuditedRequests, AuditedStop, Evidence } from "../evidence/evidence.ts";
import { api, make, move, type PlantedCases, run, runId, settled, stop, web } from "./plant.ts";

const before = "0".repeat(40);
const recorded = (change: Partial<AuditedStop> = {}) =>
  stop({ id: "r", scope: `run/${runId}`, at: 30, revertTo: before, now: true, cause: "rollback", ...change });
const asked = (change: Partial<AuditedRequest> = {}): AuditedRequests => ({
  seen: [{ id: "r", verb: "rollback", scope: `run/${runId}`, who: "ana", now: true, at: 28, ...change }],
  isWhole: true,
});
const none: AuditedRequests = { seen: [], isWhole: true };

/** `web` goes back at 35, before main says so: by this record, and by these requests. */
function back(record: AuditedStop, requests?: AuditedRequests): Evidence {
  const evidence = make(
    {
      writes: [move(web, 20, "new"), move(web, 35, "old")],
      statuses: [settled(web, 25), settled(web, 40), settled(api, 1)],
    },
    { ledger: { stops: [record], runs: [run(runId)] } },
  );
  return requests === undefined ? evidence : { ...evidence, requests };
}

/** A pause that is on record, and what the bus had of it. */
const paused = (record: AuditedStop, requests: AuditedRequests): Evidence =>
  make({}, { ledger: { stops: [record], runs: [run(runId)] }, requests });
const pause = (change: Partial<AuditedStop> = {}) => stop({ id: "p", cause: "verb", at: 15, ...change });
const askedPause = (change: Partial<AuditedRequest> = {}) =>
  asked({ id: "p", verb: "stop", scope: "all", at: 12, ...change });

/** Who asked for a rollback at once or for a stop, and when. */
export const requestCases: PlantedCases = {
  "a rollback at once that was on record before its write": { evidence: back(recorded(), asked()), want: [] },
  "a rollback at once that is recorded later, and stood on the bus before its write": {
    evidence: back(recorded({ at: 300 }), asked()),
    want: [],
  },
  "a rollback at once that is recorded later, and came to the bus after its write": {
    evidence: back(recorded({ at: 300 }), asked({ at: 36 })),
    want: ["nowIsRequested"],
  },
  "a rollback at once that is recorded later, and that no person ever asked for": {
    evidence: back(recorded({ at: 300 }), none),
    want: ["nowIsRequested"],
  },
  "a rollback at once that is recorded later, of which the bus has another run's": {
    evidence: back(recorded({ id: "q", at: 300 }), asked({ scope: "run/111111111111" })),
    want: ["nowIsRequested"],
  },
  "a rollback at once that is recorded later, of which the bus has one that waits for main": {
    evidence: back(recorded({ at: 300 }), asked({ now: false })),
    want: ["nowIsRequested"],
  },
  "a rollback at once of which no one says who asked": {
    evidence: back(recorded({ who: "" }), none),
    want: ["nowIsRequested", "requesterIsNamed"],
  },
  "a rollback at once, where the bus was away meanwhile": {
    evidence: back(recorded({ at: 300 }), { seen: [], isWhole: false }),
    want: [],
  },
  "a pause that is recorded as it was asked for": { evidence: paused(pause(), askedPause()), want: [] },
  "a pause that is recorded under another login than asked for it": {
    evidence: paused(pause({ who: "ben" }), askedPause()),
    want: ["requesterIsNamed"],
  },
  "a pause that is recorded for more than was asked for": {
    evidence: paused(pause(), askedPause({ scope: "cluster/one" })),
    want: ["requesterIsNamed"],
  },
  "a pause that is recorded before it was asked for": {
    evidence: paused(pause(), askedPause({ at: 16 })),
    want: ["requesterIsNamed"],
  },
  "a pause of which no one says who asked": {
    evidence: paused(pause({ who: "" }), askedPause()),
    want: ["requesterIsNamed"],
  },
  "a stop that meshroll placed itself, which no person asked for": {
    evidence: paused(pause({ cause: "failures", who: "meshroll planner" }), none),
    want: [],
  },
};
