import { type Reason, renderReason } from "../reasons/reason.ts";
import { printText } from "../text.ts";

/** Why a move is not undone: the code and its sentence. */
export function printObstacle(obstacle: Reason): string {
  return `${obstacle.code}: ${printText(renderReason(obstacle).message)}`;
}

/** Who can change it, and the command. */
export function printEnd(obstacle: Reason): string {
  const { owner, command } = renderReason(obstacle);
  return command === undefined ? owner : `${owner}: ${command}`;
}

/** Names before "and N more". */
const shown = 5;

/** The first names. */
export function shortenList(names: readonly string[]): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The workloads (`namespace/Kind/name`) that are not undone for one reason, who can change it, and the command. */
export function printNotPutBack(obstacle: Reason, workloads: readonly string[]): string {
  const what = workloads.length === 1 ? "stays as it is and is put back" : "stay as they are and are put back";
  const names = shortenList(workloads);
  return `${printObstacle(obstacle)}: ${names} ${what} once new pods get that sidecar; ${printEnd(obstacle)}`;
}

/** A broken workload that was undone: its pods, once deleted, would come back outside of the mesh. */
export function printNotRemade(obstacle: Reason, workload: string): string {
  return (
    `${workload} failed and was put back. Delete none of its pods, they would come back without their sidecar: ` +
    `${printObstacle(obstacle)}; ${printEnd(obstacle)}`
  );
}
