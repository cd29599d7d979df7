import type { Reason } from "./decision.ts";
import { printTime } from "./iso-time.ts";
import type { Survey } from "./judge-fleet.ts";
import type { LedgerState, RunRecord } from "./ledger-state.ts";
import { listForwardBuckets } from "./returns.ts";
import { settingsOf } from "./run-settings.ts";
import type { Spec, World } from "./world.ts";
import { findLastWriteAge } from "./proof/last-writes.ts";
import { findReached } from "./proof/unmoved.ts";

/**
 * So many of a hundred that a run asked for may be elsewhere once it is over: created late, joined to the mesh, free again. The next
 * run takes them (rules 1.3). More than that no run leaves behind.
 */
const lateShare = 0.1;

/** Clocks of the servers behind one API differ by less, ms. */
const skewMs = 60_000;

interface Question {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
}

/** Workloads that a run left behind, when they are more than come late. */
export function listUnproven({ world, ledger, head, survey }: Question, run: RunRecord): readonly string[] {
  const { there, unmoved } = findReached(world, ledger, head, survey, run);
  return unmoved.length > lateShare * (there + unmoved.length) ? unmoved : [];
}

/** Healthy time that cannot have been, for the run wrote later; ms until it can. */
function findMissing({ world, survey }: Question, run: RunRecord, healthyMs: number): number {
  const age = healthyMs === 0 ? undefined : findLastWriteAge(survey, world.clusters, run.id);
  const missing = age === undefined ? 0 : healthyMs - age;
  return missing > skewMs ? missing : 0;
}

/** What a run that is over needed at the least, by main's word: as it was merged, or as it is now. */
function findNeeded({ world, head }: Question, run: RunRecord): number {
  const then = world.specs.get(run.commit);
  const needed = settingsOf(head, run).bake;
  return then === undefined ? needed : Math.min(needed, settingsOf(then, run).bake);
}

/**
 * Why a run that the ledger calls over proves nothing: the objects of the fleet say that it is not. Who may push to the ledger's
 * branch could else make the next stage merge itself.
 */
export function findUnprovenEnd(question: Question, run: RunRecord): Reason | undefined {
  if (run.state === "open" || run.state === "gone" || listForwardBuckets(run).length === 0) return undefined;
  const name = `branch meshroll/ledger calls run ${run.id} ${run.state}`;
  const owner = "the pusher of meshroll/ledger";
  const command = `meshroll retry run/${run.id} --reason "…"`;
  const [first, ...more] = listUnproven(question, run);
  if (first !== undefined) {
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    const message = `${name}, and ${first}${others} that it asked for did not move: nothing comes after it`;
    return { code: "StageUnproven", message, owner, command };
  }
  const missing = run.state === "done" ? findMissing(question, run, findNeeded(question, run)) : 0;
  if (missing === 0) return undefined;
  const message = `${name}, and its last write is not as long ago as its bake lasts: the next stage waits until it is`;
  return { code: "StageUnproven", message, owner, until: printTime(question.world.now + missing) };
}

/** Why the bake of an open run proves nothing yet: the ledger counts more healthy time than went by since its last write. */
export function findUnprovenBake(question: Question, run: RunRecord): Reason | undefined {
  const missing = findMissing(question, run, run.bake?.healthyMs ?? 0);
  if (missing === 0) return undefined;
  const message =
    `branch meshroll/ledger says that run ${run.id} was healthy for longer than its last write is ago: ` +
    "it ends no sooner than that can be";
  const owner = "the pusher of meshroll/ledger";
  return { code: "BakeUnproven", message, owner, until: printTime(question.world.now + missing) };
}
