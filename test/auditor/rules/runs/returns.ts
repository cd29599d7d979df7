import { ledgerOf, listMoves } from "../../reading/writes/moves.ts";
import { listChanges } from "../../reading/main/returns.ts";
import { makeRule } from "../rule.ts";

/** After a rollback nothing moves its buckets forward again before its hold, which must be there, was ended. */
export const rollbackHolds = makeRule("rollbackHolds", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const { stops } = ledgerOf(evidence);
  const forward = listMoves(evidence).filter(({ way }) => way === "forward");
  for (const { commit, back } of listChanges(evidence.main)) {
    const id = commit.sha.slice(0, 12);
    const since = (commit.atLatest ?? commit.at) + graceMs;
    for (const move of forward.filter(({ bucket, at }) => back.has(bucket) && at > since)) {
      found.judge();
      const holds = stops.filter(({ scope, rollbackOf }) => scope === `bucket/${move.bucket}` && rollbackOf === id);
      const isResumed =
        holds.length > 0 && holds.every(({ resumedAt }) => resumedAt !== undefined && resumedAt <= move.at);
      if (isResumed) continue;
      found.refuse(move.cluster.name, move.path, `moved forward after the rollback ${id}, whose hold was not ended`);
    }
  }
});
