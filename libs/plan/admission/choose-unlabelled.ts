import { asksForLabels, isUnlabelled } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import { lookUp } from "#libs/input";

import type { JudgedWorkload } from "../workloads/index.ts";
import { type AdmissionQuestion, findServed, isLeftToDeploys, type RevisionChoice } from "./choose-revision.ts";

/** The workloads whose new pods get `unlabelled`. */
function listUnlabelled({ workloads }: AdmissionQuestion): readonly JudgedWorkload[] {
  return workloads.filter(({ inventory, workload }) => isUnlabelled(inventory.namespace, workload));
}

/** Whether its next pod would be its first one on the revision: it runs another one, or its pods are not seen. */
function waitsForItsTurn(each: JudgedWorkload, revision: string, running: string): boolean {
  if (isLeftToDeploys(each)) return false;
  const { pods, replicas, admitted } = each.workload;
  const live = pods.filter(({ count }) => count > 0);
  if (live.length === 0) return replicas > 0 && admitted !== revision;
  return live.some((group) => group.revision !== undefined && group.revision !== running);
}

/** The one revision that their pods run; undefined where they run several, or none. */
function findCommon(workloads: readonly JudgedWorkload[]): string | undefined {
  const running = new Set(
    workloads.flatMap(({ workload: { pods } }) => pods.flatMap(({ revision }) => revision ?? [])),
  );
  const [only] = running;
  return running.size === 1 ? only : undefined;
}

/**
 * The revision of the namespace's new pods without a label (rules 11.2). It goes to the namespace's revision when no workload without a
 * label would be moved by it: those are moved by the executor, in batches, which writes each its own label. A rollback takes it back
 * at once. Undefined: none is known, and such pods stay as they are.
 */
export function chooseUnlabelled(question: AdmissionQuestion, choice: RevisionChoice): string | undefined {
  const [first] = question.workloads;
  if (first === undefined || !asksForLabels(first.inventory.namespace)) return undefined;
  const { revision, mayAdd, isRollback = false } = choice;
  if (revision !== undefined && isRollback) return revision;
  const workloads = listUnlabelled(question);
  if (revision !== undefined && mayAdd) {
    const running = resolveTarget(question.snapshot.cluster.facts, revision);
    if (!workloads.some((each) => waitsForItsTurn(each, revision, running))) return revision;
  }
  return findServed(question, lookUp(question.before, "unlabelled") ?? findCommon(workloads));
}
