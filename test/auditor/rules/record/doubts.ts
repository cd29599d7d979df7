import { ledgerOf, listMoves } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/** So long may planner and executor need to read the branch: each fetches once a minute at least. */
const readAfterMs = 75_000;

/** No forward write while the ledger's branch is gone, set back, or holds a record that is no JSON. */
export const doubtHolds = makeRule("doubtHolds", (evidence, found) => {
  const { graceMs = 0 } = evidence;
  const { doubts = [] } = ledgerOf(evidence);
  for (const move of doubts.length === 0 ? [] : listMoves(evidence)) {
    if (move.way !== "forward") continue;
    found.judge();
    for (const { why, from, until = Number.POSITIVE_INFINITY } of doubts) {
      if (move.at <= from + graceMs + readAfterMs || move.at >= until) continue;
      found.refuse(move.cluster.name, move.path, `moved forward while ${why}`);
    }
  }
});
