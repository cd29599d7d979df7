import { type ApiCall, readMessage, type Send, ServerUnreachable } from "../requests/api-call.ts";
import type { Change, Cluster, WriteOutcome } from "../port.ts";
import { INSTALLATION, RECORDED_STOPS, STOPS_NAMESPACE } from "../configmap-names.ts";
import { type AdmissionWriter, createAdmissionWriter } from "./admission-writer.ts";
import { describeEventCall } from "./event-call.ts";
import { noteRefusals, type RefusalNotes } from "./note-refusals.ts";
import { renderVmPatch } from "../objects/vms/render-vm-patch.ts";
import { nameWorkloadPath } from "../requests/workload-path.ts";
import { toOutcome } from "./write-outcome.ts";

/** The writing half of a cluster and its probe, the same over HTTP and in process. */
export type ClusterWriter = Pick<
  Cluster,
  "patchWorkload" | "patchNamespace" | "recordStops" | "claim" | "recordEvent" | "probe"
> &
  AdmissionWriter;

/** Longer than an admission webhook usually takes, and short enough that a hung server does not block the executor. */
const WRITE_MS = 15_000;
/** A healthy server answers such a cheap request within this time. */
const PROBE_MS = 5_000;

export function createClusterWriter(send: Send, fieldManager: string, notes: RefusalNotes): ClusterWriter {
  const patch = (path: string, body: object, manager = fieldManager) =>
    write(send, {
      method: "PATCH",
      path: `${path}?fieldManager=${encodeURIComponent(manager)}`,
      contentType: "application/merge-patch+json",
      body,
      timeoutMs: WRITE_MS,
    });
  const create = (path: string, body: object) =>
    write(send, {
      method: "POST",
      path: `${path}?fieldManager=${encodeURIComponent(fieldManager)}`,
      contentType: "application/json",
      body,
      timeoutMs: WRITE_MS,
    });
  return {
    ...noteRefusals(
      {
        patchWorkload: (ref, change) => {
          const manager = change.isRecord === true ? `${fieldManager}-record` : fieldManager;
          const body = ref.kind === "WorkloadGroup" ? renderVmPatch(change) : renderWorkloadPatch(change);
          return patch(nameWorkloadPath(ref), body, manager);
        },
        patchNamespace: (name, change) =>
          patch(`/api/v1/namespaces/${encodeURIComponent(name)}`, renderMetadata(change)),
      },
      notes,
    ),
    recordStops: (entries) => recordStops(patch, create, entries),
    ...createAdmissionWriter(send, (call) => write(send, call), fieldManager),
    claim: (installation) => createMap(create, INSTALLATION, { id: installation }),
    recordEvent: (event) => write(send, describeEventCall(event, fieldManager)),
    probe: async () => {
      try {
        return (await send({ method: "GET", path: "/version", timeoutMs: PROBE_MS })).status === 200;
      } catch (error) {
        if (error instanceof ServerUnreachable) return false;
        throw error;
      }
    },
  };
}

async function write(send: Send, call: ApiCall): Promise<WriteOutcome> {
  try {
    const answer = await send(call);
    if (answer.status !== 403) return toOutcome(answer);
    if (await isStarting(send)) return { kind: "unavailable", why: `the API server starts: ${readMessage(answer)}` };
    // The server may have become ready between the two answers: the new answer counts.
    return toOutcome(await send(call));
  } catch (error) {
    // Only the answer is lost: the write may have been carried out.
    if (error instanceof ServerUnreachable) return { kind: "unavailable", why: error.message };
    throw error;
  }
}

/**
 * A starting API server answers 403 until it has read the RBAC rules (seen on 1.36 after a kill). Its `/readyz`, which every
 * login may read, fails until then. Where a proxy hides `/readyz`, a 403 is taken as it is.
 */
async function isStarting(send: Send): Promise<boolean> {
  return (await send({ method: "GET", path: "/readyz", timeoutMs: PROBE_MS })).status >= 500;
}

function renderMetadata({ resourceVersion, labels, annotations }: Change): object {
  return {
    metadata: {
      resourceVersion,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}

function renderWorkloadPatch(change: Change): object {
  const { template } = change;
  const { labels, annotations } = template ?? {};
  const metadata = {
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...renderMetadata(change), ...(template === undefined ? {} : { spec: { template: { metadata } } }) };
}

type Write = (path: string, body: object) => Promise<WriteOutcome>;

/** Creates one of our ConfigMaps. The namespace must exist: our accounts may not create namespaces. */
async function createMap(create: Write, name: string, data: Readonly<Record<string, string>>): Promise<WriteOutcome> {
  const maps = `/api/v1/namespaces/${STOPS_NAMESPACE}/configmaps`;
  const created = await create(maps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
  if (created.kind !== "gone") return created;
  const command = `kubectl create namespace ${STOPS_NAMESPACE}`;
  return { kind: "refused", why: `namespace ${STOPS_NAMESPACE} does not exist: ${command}` };
}

/**
 * Entries are keyed by record id, so two writers never want different values: it needs no resourceVersion and has no conflicts.
 */
async function recordStops(
  patch: Write,
  create: Write,
  entries: Readonly<Record<string, string | null>>,
): Promise<WriteOutcome> {
  const maps = `/api/v1/namespaces/${STOPS_NAMESPACE}/configmaps`;
  const patched = await patch(`${maps}/${RECORDED_STOPS}`, { data: entries });
  if (patched.kind !== "gone") return patched;
  const data = Object.fromEntries(
    Object.entries(entries).flatMap(([id, value]) => (value === null ? [] : [[id, value]])),
  );
  // Without the ConfigMap there is nothing to remove.
  if (Object.keys(data).length === 0) return { kind: "written", resourceVersion: "0" };
  const created = await createMap(create, RECORDED_STOPS, data);
  // Another client created it meanwhile: patch it.
  return created.kind === "conflict" ? patch(`${maps}/${RECORDED_STOPS}`, { data: entries }) : created;
}
