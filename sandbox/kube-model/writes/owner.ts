import type { WorkloadRef } from "#libs/fleet";

import type { ApiResponse } from "../objects/messages.ts";
import { type ApiTarget, parsePath } from "../objects/api-path.ts";
import type { Writer } from "../objects/managed-fields.ts";
import { type ParsedPatch, patchLabelled, patchWorkload, type Refusal } from "../controllers/patch.ts";
import { findNamespace, findWorkload } from "./remove.ts";
import { findVmGroup } from "./vms.ts";
import { nameWorkloadPath } from "../../../libs/kube/requests/workload-path.ts";
import type { State } from "../state/state.ts";
import type { WriteLog } from "../state/write-log.ts";

/** What an owner deploys: fields as in a patch, null removes. No resourceVersion: the last one wins. */
export type OwnerChange = Omit<ParsedPatch, "resourceVersion" | "data">;

/** Who deploys; the manager becomes a field manager, the user is for the audit. */
export interface OwnerWriter extends Partial<Writer> {
  readonly user?: string;
}

/** Writes of the people and tools that own the workloads. */
export interface OwnerActions {
  ownerApply(ref: WorkloadRef, change: OwnerChange, writer?: OwnerWriter): void;
  ownerPatchNamespace(name: string, change: Pick<OwnerChange, "labels" | "annotations">, writer?: OwnerWriter): void;
}

const mergePatch = "application/merge-patch+json";

/** The patch as it would be sent; the model has one container, and calls it by no name. */
function renderChange({ labels, annotations, ...spec }: OwnerChange): object {
  const { templateLabels, templateAnnotations, replicas, paused, image } = spec;
  const metadata = dropAbsent({ labels: templateLabels, annotations: templateAnnotations });
  const pod = image === undefined ? undefined : { containers: [{ image }] };
  return dropAbsent({
    metadata: dropEmpty(dropAbsent({ labels, annotations })),
    spec: dropEmpty(
      dropAbsent({ replicas, paused, template: dropEmpty(dropAbsent({ metadata: dropEmpty(metadata), spec: pod })) }),
    ),
  });
}

function dropAbsent(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function dropEmpty(object: object): object | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

export function createOwner(state: State, log: WriteLog): OwnerActions {
  const write = (
    target: ApiTarget,
    path: string,
    change: OwnerChange,
    own: OwnerWriter,
    apply: (writer: Writer) => Refusal | undefined,
  ) => {
    const { user = "owner", manager = "kubectl-client-side-apply", operation = "Update" } = own;
    const query = new URLSearchParams({ fieldManager: manager, operation });
    const request = { method: "PATCH", path, query, contentType: mergePatch, body: renderChange(change), user };
    const response = log.record(request, target, (writer) => toResponse(apply(writer)));
    if (response.status !== 200) throw new Error(`${path}: ${String(response.body)}`);
  };
  return {
    ownerApply: (ref, change, writer = {}) => {
      const path = nameWorkloadPath(ref);
      const target = parsePath(path);
      if (target === undefined) throw new Error(`the model does not serve ${path}`);
      write(target, path, change, writer, (as) =>
        ref.kind === "WorkloadGroup"
          ? patchLabelled(state, findVmGroup(state, ref), change, as)
          : patchWorkload(state, findWorkload(state, ref), change, as),
      );
    },
    ownerPatchNamespace: (name, change, writer = {}) => {
      const target: ApiTarget = { resource: "namespaces", name };
      const path = `/api/v1/namespaces/${name}`;
      write(target, path, change, writer, (as) => patchLabelled(state, findNamespace(state, name), change, as));
    },
  };
}

function toResponse(refusal: Refusal | undefined): ApiResponse {
  return refusal === undefined ? { status: 200, body: undefined } : { status: refusal.status, body: refusal.message };
}
