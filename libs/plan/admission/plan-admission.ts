import { annotationKeys, isMarkedFailed, istioKeys, parseAnnotations } from "#libs/fleet";
import { judgeRefused } from "#libs/injection";
import { lookUp } from "#libs/input";

import type { JudgedWorkload } from "../workloads/index.ts";
import { type AdmissionQuestion, chooseRevision, type RevisionChoice } from "./choose-revision.ts";

export type { AdmissionQuestion } from "./choose-revision.ts";

/** Longer keys a ConfigMap does not take. */
const longestKey = 253;

/** Its pods carry a revision of their own, which no namespace label overrules. */
function hasOwnLabel({ site }: JudgedWorkload): boolean {
  return site.kind === "manifest" || (site.kind === "template" && site.label === "istio.io/rev");
}

/** A mark for this revision, on the workload or on its whole namespace: what stood before stands again. */
function hasFailed({ workload, inventory }: JudgedWorkload, revision: string): boolean {
  return [workload, inventory.namespace].some((object) => {
    const marks = parseAnnotations(object);
    return marks.kind === "read" && isMarkedFailed(marks, revision);
  });
}

/** Its owner wants something else of it, or Istio would not heed the label. */
function isLeftAlone(question: AdmissionQuestion, each: JudgedWorkload, revision: string): boolean {
  const { workload, inventory } = each;
  if (!hasOwnLabel(each) || workload.template.labels[istioKeys.revision] === revision) return true;
  // A restart of ours says by itself what its pods are to run.
  if (workload.template.annotations[annotationKeys.restartedFor] !== undefined) return true;
  if (hasFailed(each, revision)) return true;
  return judgeRefused(inventory.namespace, workload, question.snapshot.cluster.facts, revision).refused;
}

/** Its owner has not deployed it for long enough; where a time is not known, it may have been deployed just now. */
function isOld({ snapshot, minDeploymentAge }: AdmissionQuestion, deployedAt: number | undefined): boolean {
  const { serverAt } = snapshot.cluster.facts;
  return deployedAt !== undefined && serverAt !== undefined && serverAt - deployedAt >= minDeploymentAge;
}

/** The entry of one workload: the hash of the one template whose new pods are labelled. */
function findEntry(
  question: AdmissionQuestion,
  { revision = "", mayAdd, isRollback }: RevisionChoice,
  each: JudgedWorkload,
): readonly (readonly [key: string, hash: string])[] {
  const key = `${each.workload.kind}.${each.workload.name}`;
  if (key.length > longestKey || isLeftAlone(question, each, revision)) return [];
  const { deployedAt, hash: seen } = question.templateOf(each.workload);
  // While no pod lives none says of which template it is; a deploy since then would be a young one.
  const hash = seen ?? lookUp(question.before, key);
  if (hash === undefined) return [];
  if (isRollback !== true && !isOld(question, deployedAt)) return [];
  return mayAdd || lookUp(question.before, key) === hash ? [[key, hash]] : [];
}

/**
 * What the ConfigMap `meshroll-admission` of a namespace has to hold: its `revision`, and by `Kind.name` the hash of the template whose
 * new pods get it. A hash, because an owner's deploy makes pods before anyone can look: those are of another template.
 */
export function planAdmission(question: AdmissionQuestion): Readonly<Record<string, string>> {
  const choice = chooseRevision(question);
  if (choice.revision === undefined) return {};
  const entries = question.workloads.flatMap((each) => findEntry(question, choice, each));
  return { revision: choice.revision, ...Object.fromEntries(entries) };
}
