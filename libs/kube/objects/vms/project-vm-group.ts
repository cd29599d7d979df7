import type { PodTemplate, WorkloadTimes } from "#libs/fleet";
import { lookUp } from "#libs/input";

import type { ApiManager, ApiMap, ApiObject } from "../../api-types.ts";
import { findMarkManagers, findVmManager, ownsVmRevision } from "../field-manager.ts";
import type { Interner } from "../interner.ts";
import { isOwnAnnotation, readIdentity, type WorkloadFacts, type WorkloadRecord } from "../project-workload.ts";
import { findWriteTime, findWriteTimeOfOthers } from "../read-times.ts";
import { restartedForKey, revisionLabel, vmRevisionKey } from "./vm-keys.ts";

/** Annotations of the object that stand for the template of its VMs. */
const templateKeys: readonly string[] = [vmRevisionKey, restartedForKey];

/** What a pod template is to a Deployment: the annotations that say what the VMs shall run. */
function projectTemplate(annotations: ApiMap | undefined, interner: Interner): PodTemplate {
  const revision = lookUp(annotations, vmRevisionKey);
  return interner.value({
    labels: revision === undefined ? {} : { [revisionLabel]: revision },
    annotations: interner.map(annotations, (key) => key === restartedForKey),
    hostNetwork: false,
    isVms: true,
  });
}

function readTimes(entries: readonly ApiManager[]): { readonly times?: WorkloadTimes } {
  const written = findWriteTime(entries);
  const deployed = findWriteTimeOfOthers(entries, ownsVmRevision);
  if (written === undefined && deployed === undefined) return {};
  return {
    times: { ...(written === undefined ? {} : { written }), ...(deployed === undefined ? {} : { deployed }) },
  };
}

function readManagers(entries: readonly ApiManager[], annotations: ApiMap | undefined, interner: Interner) {
  const manager = findVmManager(entries);
  const marksBy = findMarkManagers(entries, annotations);
  return {
    ...(marksBy === undefined ? {} : { marksBy: interner.value(marksBy) }),
    ...(manager === undefined ? {} : { revisionManager: interner.value(manager) }),
  };
}

/** An object that Kubernetes rolls out has numbers here; of VMs only their agents know. */
const noCounts = { generation: 0, observedGeneration: 0, replicas: 0, total: 0, updated: 0, available: 0 } as const;
const noFlags = { deadlineExceeded: false, paused: false, onDelete: false, selectsRevision: false } as const;

/** Reads a WorkloadGroup; undefined when it lacks a field that every object has. How many VMs it has is not known here. */
export function projectVmGroup({ metadata = {} }: ApiObject, interner: Interner): WorkloadRecord | undefined {
  const identity = readIdentity(metadata);
  if (identity === undefined) return undefined;
  const { annotations, managedFields = [] } = metadata;
  const facts: WorkloadFacts = {
    ...identity,
    namespace: interner.text(identity.namespace),
    kind: "WorkloadGroup",
    ...noCounts,
    ...noFlags,
    template: projectTemplate(annotations, interner),
    annotations: interner.map(annotations, (key) => isOwnAnnotation(key) && !templateKeys.includes(key)),
    ...readManagers(managedFields, annotations, interner),
    ...readTimes(managedFields),
  };
  const deployedAt = findWriteTimeOfOthers(managedFields, ownsVmRevision);
  return { facts, templateLabels: {}, rolloutUnavailable: undefined, selectorKeys: [], deployedAt };
}
