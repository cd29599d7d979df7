import type { Resolver } from "#libs/rollouts";
import type { LedgerState, RunRecord, Spec, ClusterSnapshot } from "../records/index.ts";
import { isRollbackOf, listForwardBuckets, PastAnswers, settingsOf } from "../main/index.ts";
import { compareRuns, mayConverge } from "./converging.ts";
import { type ActiveStop, isSaidByMain, listContinued, listReverts, type Revert } from "../stops/index.ts";

/** The facts by which a cluster's workloads are judged. */
export interface ClusterContext {
  readonly cluster: ClusterSnapshot;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** Must be the same map while nothing in it changed, because judgements of waiting workloads are cached by it. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** The desired revision of a namespace, and the run that it belongs to. */
export interface Ownership {
  /** The revision in head, or that of a rollback in force. */
  readonly desired: string;
  /** The open run that last changed the revision; absent = no run wants it, and a difference is drift (rules 1.3). */
  readonly run?: RunRecord;
  /** Left over by an earlier run of the same campaign: only what still has to move belongs to `run` (rules 1.3). */
  readonly isLeftover?: true;
  /** The earlier run that left it over. */
  readonly leftBy?: Pick<RunRecord, "clusters" | "archived">;
  /** The run rolls it back to what main had before (rules 2.3): since when, ISO. */
  readonly rollbackSince?: string;
  /** With `rollbackSince`: runs whose `rollback --now` this run merges. */
  readonly continues?: readonly string[];
  /** Without `run`, or where that was opened again by a retry: converging runs that may name some of its workloads, the newest first. */
  readonly converging?: readonly RunRecord[];
}

/**
 * Runs from the oldest open one on, and older ones of unfinished campaigns; newest first. Only these can own a namespace that
 * still has to move.
 */
function collectCandidates(ledger: LedgerState, head: Spec): readonly RunRecord[] {
  const runs = Object.values(ledger.runs)
    .filter((run) => run.state !== "gone")
    .toSorted((a, b) => compareRuns(b, a));
  const oldestOpen = runs.findLastIndex((run) => run.state === "open");
  if (oldestOpen < 0) return [];
  return runs.filter(
    ({ campaign }, index) => index <= oldestOpen || (campaign !== undefined && head.campaigns.has(campaign)),
  );
}

/** The open run of an unfinished campaign that takes over what this earlier run left (rules 1.3). */
function findTakeover(
  { campaign, order }: RunRecord,
  { campaigns }: Spec,
  compared: readonly Compared[],
): RunRecord | undefined {
  if (campaign === undefined || !campaigns.has(campaign)) return undefined;
  const next = compared.findLast(
    ({ run: other }) =>
      other.state === "open" &&
      other.order > order &&
      other.campaign === campaign &&
      other.reopened !== true &&
      listForwardBuckets(other).length > 0,
  );
  return next?.run;
}

interface Compared {
  readonly run: RunRecord;
  readonly before: Resolver;
  readonly after: Resolver;
}

function pairWithSpecs(runs: readonly RunRecord[], specs: ReadonlyMap<string, Spec>): readonly Compared[] {
  return runs.flatMap((run) => {
    const before = specs.get(run.before);
    const after = specs.get(run.commit);
    return before === undefined || after === undefined ? [] : [{ run, before: before.resolver, after: after.resolver }];
  });
}

/**
 * A rollback is over when main says the same and the ledger has that run, which then goes on (rules 2.4), even where the verb
 * comes late. Before that its workloads would belong to no run, and patches would be reverted as late ones.
 */
function isOver({ run, to }: Revert, head: Spec, ledger: LedgerState | undefined): boolean {
  return ledger?.judged === head.commit && isSaidByMain(ledger, run, head, to);
}

type OwnerOf = (namespace: string) => Ownership;

/** The facts about what main wanted for namespaces before. */
interface Past {
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly specs: ReadonlyMap<string, Spec>;
  readonly known: Map<string, PastAnswers>;
}

/** The history of answers from the files of this commit, at which main had the runs up to `order`. */
function openPast({ ledger, head, known }: Past, spec: Spec, order: number): PastAnswers {
  const past = known.get(spec.commit) ?? new PastAnswers(ledger, { spec, order }, head);
  known.set(spec.commit, past);
  return past;
}

/** The order of the newest run that main had at this commit. */
function findOrder({ runs }: LedgerState, commit: string): number {
  for (const run of Object.values(runs)) {
    if (run.converge !== undefined) continue;
    if (run.commit === commit) return run.order;
    if (run.before === commit) return run.order - 1;
  }
  return 0;
}

/**
 * The ownership under a rollback in force: a namespace with another revision then is rolled back, others wait, and no other run
 * moves them (rules 2.4). A namespace for which it would be forward keeps main's revision and waits.
 */
function findReverted(
  namespace: string,
  head: Spec,
  reverts: readonly Revert[],
  past: Past | undefined,
): Ownership | undefined {
  if (reverts.length === 0 || past === undefined) return undefined;
  const now = head.resolver.resolve(namespace);
  for (const { run, to, buckets, since } of reverts) {
    const then = to.resolver.resolve(namespace);
    if (!buckets.has(now.bucket.pattern) && !buckets.has(then.bucket.pattern)) continue;
    const desired = then.revision;
    if (desired === now.revision) return { desired };
    const isForward = openPast(past, to, findOrder(past.ledger, to.commit)).isForward(namespace, desired);
    return isForward ? { desired: now.revision } : { desired, run, rollbackSince: since };
  }
  return undefined;
}

/**
 * Whether the run rolls the namespace back: its buckets are set back, and main wanted the revision for this namespace before.
 */
function isBroughtBack(namespace: string, { run, before, after }: Compared, past: Past): boolean {
  const [old, now] = [before.resolve(namespace), after.resolve(namespace)];
  const spec = past.specs.get(run.commit);
  if (spec === undefined || !isRollbackOf(run, old.bucket.pattern, now.bucket.pattern, past.ledger)) return false;
  return !openPast(past, spec, run.order).isForward(namespace, now.revision, run.order);
}

/** No open run of main wants all of it: converging runs may name its workloads. */
function leaveToConverging(desired: string, converging: readonly RunRecord[]): Ownership {
  return converging.length === 0 ? { desired } : { desired, converging };
}

/** A run that a retry opened again shares the namespace with converging runs. */
function ownForward(desired: string, run: RunRecord, converging: readonly RunRecord[]): Ownership {
  return run.reopened === true ? { ...leaveToConverging(desired, converging), run } : { desired, run };
}

function findOwner(namespace: string, head: Spec, compared: readonly Compared[], past: Past | undefined): Ownership {
  const { revision: desired, bucket } = head.resolver.resolve(namespace);
  const converging: RunRecord[] = [];
  for (const each of compared) {
    const { run, before, after } = each;
    const [old, now] = [before.resolve(namespace), after.resolve(namespace)];
    if (run.converge !== undefined) {
      if (mayConverge(run, head, bucket.pattern, now.revision === desired)) converging.push(run);
      continue;
    }
    if (old.revision === now.revision) continue;
    // Main now wants another revision, by a run that is not recorded yet. No earlier run may move the namespace there,
    // because it would apply its own direction and its own ended stops.
    if (now.revision !== desired) return { desired };
    if (run.state !== "open") {
      const takeover = findTakeover(run, head, compared);
      if (takeover !== undefined) return { desired, run: takeover, isLeftover: true, leftBy: run };
      return leaveToConverging(desired, converging);
    }
    const isRollback = past !== undefined && isBroughtBack(namespace, each, past);
    if (!isRollback) return ownForward(desired, run, converging);
    return { desired, run, rollbackSince: run.startedAt, continues: listContinued(past.ledger, run) };
  }
  return leaveToConverging(desired, converging);
}

function compile(
  head: Spec,
  ledger: LedgerState | undefined,
  specs: ReadonlyMap<string, Spec>,
  reverts: readonly Revert[],
): OwnerOf {
  const compared = ledger === undefined ? [] : pairWithSpecs(collectCandidates(ledger, head), specs);
  const past = ledger === undefined ? undefined : { ledger, head, specs, known: new Map<string, PastAnswers>() };
  const known = new Map<string, Ownership>();
  return (namespace) => {
    const remembered = known.get(namespace);
    if (remembered !== undefined) return remembered;
    const answer = findReverted(namespace, head, reverts, past) ?? findOwner(namespace, head, compared, past);
    known.set(namespace, answer);
    return answer;
  };
}

const compiled = new WeakMap<Spec, { readonly key: string; readonly ownerOf: OwnerOf }>();

/** When its waves began, where states depend on that: with strategy `OnDeploy`. */
function listOpened(head: Spec, run: RunRecord): readonly (readonly [cluster: string, openedAt: string])[] {
  if (settingsOf(head, run).strategy !== "OnDeploy") return [];
  return Object.entries(run.clusters).map(([cluster, { openedAt }]) => [cluster, openedAt]);
}

/**
 * The parts of head and ledger that decide ownership and states, as a cache key: a stop that rolls nothing back does not change
 * it.
 */
function nameCandidates(
  head: Spec,
  ledger: LedgerState | undefined,
  specs: ReadonlyMap<string, Spec>,
  reverts: readonly Revert[],
): string {
  const runs = ledger === undefined ? [] : collectCandidates(ledger, head);
  return JSON.stringify([
    Object.keys(ledger?.runs ?? {}).length,
    ledger?.ahead?.length ?? 0,
    runs.map((run) => {
      const { id, state, before, commit, retried, reopened } = run;
      const continues = ledger === undefined ? [] : listContinued(ledger, run);
      const files = [specs.has(before), specs.has(commit)];
      return [id, state, files, retried, reopened, continues, listOpened(head, run)];
    }),
    reverts.map(({ run, to, since }) => [run.id, to.commit, since, run.retried]),
  ]);
}

/**
 * Returns the function that gives the owner of each namespace: the latest run that changed its revision; once that run is over
 * a difference is drift (rules 1.3). A rollback in force goes before main. Returns the same function for the same head, open
 * runs and rollbacks, so that judgements can be cached by it.
 */
export function createOwnership(
  head: Spec,
  ledger: LedgerState | undefined,
  specs: ReadonlyMap<string, Spec>,
  stops: readonly ActiveStop[] = [],
): OwnerOf {
  const reverts = listReverts(stops, ledger, specs).filter((revert) => !isOver(revert, head, ledger));
  const key = nameCandidates(head, ledger, specs, reverts);
  const last = compiled.get(head);
  if (last?.key === key) return last.ownerOf;
  const ownerOf = compile(head, ledger, specs, reverts);
  compiled.set(head, { key, ownerOf });
  return ownerOf;
}
