import type { AuditedVerdict, Evidence } from "../evidence/evidence.ts";
import { commits, make, move, type PlantedCases, run, runId, settled, web, webKey } from "./plant.ts";

const text = (gate: string) =>
  `metadata: { name: up }\nspec:\n  defaults: { batch: { delayBetweenBatches: 0s } }\n  stages:\n    - { name: all, gates: [${gate}] }\n`;

const before = "{ name: ready, when: before }";
const after = "{ name: errors }";

/** `web` moves at 20 and settles at 30; its run, with one gate and these words of it, is open or done at 50. */
function judged(
  gate: string,
  verdicts: readonly AuditedVerdict[],
  state = "open",
  skipped: readonly string[] = [],
): Evidence {
  const main = commits.map((each) => ({ ...each, campaigns: { "campaigns/up.yml": text(gate) } }));
  const over = state === "done" ? { state, endedAt: 50, endedAtLatest: 50 } : {};
  const named = { skipped: ["one:shop/Deployment/api", ...skipped], list: [webKey] };
  const own = run(runId, { campaign: "up", stage: "all", clusters: { one: 15 }, verdicts, ...over, ...named });
  return make(
    {
      writes: [move(web, 20, "new")],
      statuses: [settled(web, 30)],
      pods: [{ at: 30, path: web, revisions: ["new"] }],
    },
    { main, ledger: { stops: [], runs: [own] } },
  );
}

const says = (gate: string, verdict: string, at: number): AuditedVerdict => ({ gate, verdict, at, atLatest: at });

/** Gates that are not asked. */
export const gateCases: PlantedCases = {
  "a move after its gate before had passed": { evidence: judged(before, [says("ready", "pass", 14)]), want: [] },
  "a move before its gate before had passed": {
    evidence: judged(before, [says("ready", "pass", 21)]),
    want: ["gatesComeFirst"],
  },
  "a move though its gate before said nothing": { evidence: judged(before, []), want: ["gatesComeFirst"] },
  "a move though its gate before had failed": {
    evidence: judged(before, [says("ready", "fail", 14)]),
    want: ["gatesComeFirst"],
  },
  "a move though its gate before had failed, which only notifies": {
    evidence: judged("{ name: ready, when: before, onFail: notify }", [says("ready", "fail", 14)]),
    want: [],
  },
  "a run that is done with the word of its gate": {
    evidence: judged(after, [says("errors", "pass", 49)], "done"),
    want: [],
  },
  "a run that is done without a word of its gate": { evidence: judged(after, [], "done"), want: ["gatesHaveSpoken"] },
  "a run that is open without a word of its gate": { evidence: judged(after, []), want: [] },
};
