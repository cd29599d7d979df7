import type { Resolver } from "#libs/spec";

import type { LedgerState, RunRecord } from "./ledger-state.ts";
import type { Spec } from "./world.ts";

/** Which run a namespace belongs to, and what it should run. */
export interface Ownership {
  /** Head's answer. */
  readonly desired: string;
  /** The open run that last changed the answer; absent = no run asks, what differs is drift (rules 1.3). */
  readonly run?: RunRecord;
}

/** The runs from the oldest open one on, newest first: only they can own a namespace that somebody still has to move. */
function collectCandidates(ledger: LedgerState): readonly RunRecord[] {
  const runs = Object.values(ledger.runs)
    .filter((run) => run.state !== "gone")
    .toSorted((a, b) => b.order - a.order);
  const oldestOpen = runs.findLastIndex((run) => run.state === "open");
  return runs.slice(0, oldestOpen + 1);
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

type OwnerOf = (namespace: string) => Ownership;

function compile(head: Spec, ledger: LedgerState | undefined, specs: ReadonlyMap<string, Spec>): OwnerOf {
  const compared = ledger === undefined ? [] : pairWithSpecs(collectCandidates(ledger), specs);
  const known = new Map<string, Ownership>();
  return (namespace) => {
    const remembered = known.get(namespace);
    if (remembered !== undefined) return remembered;
    const owner = compared.find(
      ({ before, after }) => before.resolve(namespace).revision !== after.resolve(namespace).revision,
    );
    const desired = head.resolver.resolve(namespace).revision;
    const answer = owner?.run.state === "open" ? { desired, run: owner.run } : { desired };
    known.set(namespace, answer);
    return answer;
  };
}

const compiled = new WeakMap<Spec, { readonly key: string; readonly ownerOf: OwnerOf }>();

/** What of the ledger decides who owns whom; a wave that opens or a stop changes nothing in it. */
function nameCandidates(ledger: LedgerState | undefined): string {
  const runs = ledger === undefined ? [] : collectCandidates(ledger);
  return JSON.stringify(runs.map(({ id, state, before, commit }) => [id, state, before, commit]));
}

/**
 * Says for each namespace who owns it: a workload belongs to the latest run that changed its namespace's answer, and
 * once that run is over what differs is drift (rules 1.3). The same head and open runs give the same function, so that
 * what was judged by it can be remembered.
 */
export function createOwnership(
  head: Spec,
  ledger: LedgerState | undefined,
  specs: ReadonlyMap<string, Spec>,
): OwnerOf {
  const key = nameCandidates(ledger);
  const last = compiled.get(head);
  if (last?.key === key) return last.ownerOf;
  const ownerOf = compile(head, ledger, specs);
  compiled.set(head, { key, ownerOf });
  return ownerOf;
}
