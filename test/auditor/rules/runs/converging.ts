import { listMoves } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";
import { isNamed } from "../writes/tries.ts";

/** A converging run moves only the workloads that it named when it began. */
export const convergesAsNamed = makeRule("convergesAsNamed", (evidence, found) => {
  for (const move of listMoves(evidence)) {
    if (move.way === "undo" || !move.isWorkload || move.run?.convergesTo === undefined) continue;
    found.judge();
    if (!isNamed(move.run, move))
      found.refuse(move.cluster.name, move.path, `run ${move.runId} moved it, and did not name it when it began`);
  }
});

/** A run that a retry opened again moves forward only what retries named. */
export const reopenedAsNamed = makeRule("reopenedAsNamed", (evidence, found) => {
  for (const move of listMoves(evidence)) {
    const [first] = move.run?.earlierEnds ?? [];
    if (move.way !== "forward" || !move.isWorkload || move.run === undefined || first === undefined) continue;
    if (move.at <= first.reopenedAt) continue;
    found.judge();
    if (!isNamed(move.run, move))
      found.refuse(move.cluster.name, move.path, `run ${move.runId} moved it after its end, and no retry named it`);
  }
});
