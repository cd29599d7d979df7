import type { AuditedCommit, Evidence } from "../../evidence/evidence.ts";
import { answerOf } from "../files/assignment.ts";
import { headsAt } from "./heads.ts";
import { isReadable } from "../files/readable.ts";

/** What main wanted for one namespace as of a commit: the revisions that led there, the present one last. */
interface Step {
  readonly commit: AuditedCommit;
  readonly way: readonly string[];
}

const known = new WeakMap<Evidence, Map<string, readonly Step[]>>();

function walkMain({ main }: Evidence, namespace: string): readonly Step[] {
  const steps: Step[] = [];
  for (const commit of main.filter((each) => isReadable(each))) {
    const answer = answerOf(commit.rollouts, commit.settings, namespace);
    // After a forced push main continues from the state at the commit's parent.
    const parent = commit.isForced === true ? steps.findLast((each) => each.commit.sha === commit.parent) : undefined;
    const way = (parent ?? steps.at(-1))?.way ?? [];
    const index = way.indexOf(answer ?? "");
    steps.push({ commit, way: index < 0 ? [...way, answer ?? ""] : way.slice(0, index + 1) });
  }
  return steps;
}

function listSteps(evidence: Evidence, namespace: string): readonly Step[] {
  const all = known.get(evidence) ?? new Map<string, readonly Step[]>();
  known.set(evidence, all);
  const steps = all.get(namespace) ?? walkMain(evidence, namespace);
  all.set(namespace, steps);
  return steps;
}

/** True when main wanted the namespace for this revision before that commit, and had not rolled back from it by then. */
export function wasAskedBefore(evidence: Evidence, namespace: string, sha: string, revision: string): boolean {
  const steps = listSteps(evidence, namespace);
  const index = steps.findIndex(({ commit }) => commit.sha === sha);
  return index > 0 && steps[index - 1]?.way.includes(revision) === true;
}

/** The same for all commits of main by a moment. */
export function wasAskedBy(evidence: Evidence, namespace: string, at: number, revision: string): boolean {
  return (
    listSteps(evidence, namespace)
      .findLast(({ commit }) => commit.at <= at)
      ?.way.includes(revision) === true
  );
}

/**
 * True when main wanted the revision for this namespace (at `from`, or first after it), and then another revision by `to`. What
 * a rollback at once asks for before main says so does not count.
 */
export function wasAskedElsewhere(
  evidence: Evidence,
  namespace: string,
  revision: string,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const heads = new Set(headsAt(evidence, from));
  const steps = listSteps(evidence, namespace).filter(({ commit }) => commit.at <= to);
  const isAsked = ({ way }: Step) => way.at(-1) === revision;
  const last = steps.findLastIndex((step) => heads.has(step.commit) && isAsked(step));
  const asked = last === -1 ? steps.findIndex((step) => step.commit.at > from && isAsked(step)) : last;
  return asked !== -1 && steps.slice(asked + 1).some((step) => !isAsked(step));
}
