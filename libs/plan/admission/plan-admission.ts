import {
  type AdmissionMap,
  annotationKeys,
  hasFailureAnnotation,
  istioKeys,
  nameInAdmissionMap,
  parseAnnotations,
} from "#libs/fleet";
import { judgeRefused } from "#libs/injection";
import { lookUp } from "#libs/input";

import { isInPlace, type JudgedWorkload } from "../workloads/index.ts";
import { type AdmissionQuestion, chooseRevision, type RevisionChoice } from "./choose-revision.ts";
import { chooseUnlabelled } from "./choose-unlabelled.ts";

export type { AdmissionQuestion } from "./choose-revision.ts";

/** The longest key of a ConfigMap. */
const longestKey = 253;

/** Its pods carry their own revision label, which overrides the namespace's. */
function hasOwnLabel({ site }: JudgedWorkload): boolean {
  return site.kind === "manifest" || (site.kind === "template" && site.label === "istio.io/rev");
}

/** The workload or its namespace has a failure annotation for this revision, and was put back. */
function hasFailed({ workload, inventory }: JudgedWorkload, revision: string): boolean {
  return [workload, inventory.namespace].some((object) => {
    const marks = parseAnnotations(object);
    return marks.kind === "read" && hasFailureAnnotation(marks, revision);
  });
}

/** Its campaign leaves it where it is. */
function isLeftOut({ state }: JudgedWorkload): boolean {
  return state.kind === "skipped" && (state.reason.code === "OtherRevision" || state.reason.code === "Excluded");
}

/** Its owner or its campaign wants another revision, its template says a right one, or Istio would ignore the label. */
function isLeftAlone(question: AdmissionQuestion, each: JudgedWorkload, revision: string): boolean {
  const { workload, inventory, desired } = each;
  if (!hasOwnLabel(each) || isLeftOut(each)) return true;
  // Where the namespace's revision is not the desired one yet, a template that has been moved is not taken back.
  if ([revision, desired].includes(workload.template.labels[istioKeys.revision] ?? "")) return true;
  // Our own restart sets what its pods run.
  if (workload.template.annotations[annotationKeys.restartedFor] !== undefined) return true;
  if (hasFailed(each, revision)) return true;
  return judgeRefused(inventory.namespace, workload, question.snapshot.cluster.facts, revision).refused;
}

/** Whether its owner's last deploy is old enough; an unknown time may be just now. */
function isOld({ snapshot, minDeploymentAge }: AdmissionQuestion, deployedAt: number | undefined): boolean {
  const { serverAt } = snapshot.cluster.facts;
  return deployedAt !== undefined && serverAt !== undefined && serverAt - deployedAt >= minDeploymentAge;
}

/** The entry of one workload: the hash of the template whose new pods are labelled. */
function findEntry(
  question: AdmissionQuestion,
  { revision = "", mayAdd, isRollback }: RevisionChoice,
  each: JudgedWorkload,
): readonly (readonly [key: string, hash: string])[] {
  const key = nameInAdmissionMap(each.workload);
  if (key.length > longestKey || isLeftAlone(question, each, revision)) return [];
  const { deployedAt, hash: seen } = question.templateOf(each.workload);
  // Without a live pod the template's hash is not visible; a deploy since then would be too young.
  const hash = seen ?? lookUp(question.before, key);
  if (hash === undefined) return [];
  if (isRollback !== true && !isOld(question, deployedAt)) return [];
  return mayAdd || lookUp(question.before, key) === hash ? [[key, hash]] : [];
}

/** The `revision` of a map, and the entries of the workloads that get it. */
function planLabelled(question: AdmissionQuestion, choice: RevisionChoice): AdmissionMap {
  if (choice.revision === undefined) return {};
  const isNamed = ({ state }: JudgedWorkload): boolean => choice.isStopped !== true || isInPlace(state);
  const entries = question.workloads.filter(isNamed).flatMap((each) => findEntry(question, choice, each));
  return { revision: choice.revision, ...Object.fromEntries(entries) };
}

/**
 * The content of a namespace's ConfigMap `meshroll-admission`: its `revision`, and by `Kind.name` the hash of the template
 * whose new pods get it; `unlabelled`, the revision of new pods without a label. Hashes are used because after an owner's deploy
 * the new template's pods are created before meshroll can react.
 */
export function planAdmission(question: AdmissionQuestion): AdmissionMap {
  const choice = chooseRevision(question);
  const unlabelled = chooseUnlabelled(question, choice);
  return { ...planLabelled(question, choice), ...(unlabelled === undefined ? {} : { unlabelled }) };
}
