import { settingsOver } from "../../main/index.ts";
import { measureRoom, type RoomFacts } from "../room/measure-room.ts";
import { type ExecutorSnapshot, findRunById, type ItemCheck, refuse } from "./facts.ts";

/** The facts by which an executor measures room. */
export function describeRoom(snapshot: ExecutorSnapshot): RoomFacts {
  const { now, cluster, judged, rolling } = snapshot;
  return { now, cluster, judged, countRolling: () => rolling.size, settingsFor: (run) => settingsOver(snapshot, run) };
}

/**
 * Whether there is room for one more. A rolling workload takes no new place (rules 4.2), and a broken one is rolled back at
 * once (rules 2.3). The room may have been taken since the batch was chosen, for example by a second job.
 */
export const checkRoom: ItemCheck = (snapshot, { run: id }, _, { key, rollbackSince, unavailable }) => {
  const isRollback = rollbackSince !== undefined;
  if (snapshot.rolling.has(key) || (isRollback && unavailable)) return undefined;
  const run = findRunById(snapshot.ledger, id);
  const settings = settingsOver(snapshot, run);
  if (run === undefined || settings === undefined) return refuse("end", { code: "NothingReadable" });
  const room = measureRoom(describeRoom(snapshot), { run, settings, isRollback });
  return typeof room === "number" ? undefined : refuse("wait", room);
};
