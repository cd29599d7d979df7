import { describe } from "vitest";

import { failed, makeCluster, makeLedger, makeRun, makeStop, makeWorld, runId, sha } from "./build.ts";
import { a, b, clusters, runCases } from "./decide-cases.ts";

describe("verbs", () => {
  const ask = {
    id: "v1",
    verb: "lift" as const,
    scope: `run/${runId}` as const,
    strength: "move" as const,
    who: "ana",
    why: "looked at it",
    at: "2026-11-19T12:10:00Z",
  };
  const failures = ["one:shop/Deployment/a"];
  const stop = makeStop({ id: "f1", scope: `run/${runId}`, cause: "failures", failures });
  const runs = { [runId]: makeRun(sha("head"), sha("base")) };
  const stopped = makeLedger({ main: sha("head"), judged: sha("head"), runs, stops: { f1: stop } });
  const lift = { at: "", who: "ana", why: "" };
  const lifted = { ...stopped, stops: { f1: { ...stop, lift } }, asks: { v1: { at: "", answer: "" } } };
  runCases({
    "3.3 resume lifts the stop on the run": {
      world: makeWorld({
        ledger: stopped,
        asks: [ask],
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["liftStop f1"],
    },
    "3.3 what failed stays aside after resume, and does not count again": {
      world: makeWorld({ ledger: lifted, clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb is carried out once": {
      world: makeWorld({
        ledger: lifted,
        asks: [ask],
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb with nothing to lift is answered": {
      world: makeWorld({ ledger: { ...stopped, stops: {} }, asks: [ask], clusters: clusters(makeCluster("one", [b])) }),
      want: ["answerAsk"],
    },
  });
});
