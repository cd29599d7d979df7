import type { PodSeen, WorkloadRef } from "#libs/fleet";
import { cleanText } from "#libs/runtime";

import type { ApiObject } from "../api-types.ts";
import { checkObject, checkPage } from "../objects/check-object.ts";
import { readArgo } from "../objects/workloads/argo-rollout.ts";
import type { RolloutRead } from "../port.ts";
import { LIST_BYTES, readMessage, type Send } from "../requests/api-call.ts";
import { nameCollection } from "../requests/workload-path.ts";
import { chooseNewest, type PodWorkload, selectNewest } from "./choose-newest.ts";
import { projectPodStatus } from "./project-pod-status.ts";

/** A failure is recorded soon, with or without its cause: so long is an answer waited for, real ms. */
const patienceMs = 2_000;
/** More pods say nothing more. */
const mostPods = 500;

type Listed = { readonly items: readonly ApiObject[] } | { readonly why: string };

/** The first page: a list needs no other right than the watch has. */
async function list(send: Send, path: string): Promise<Listed> {
  const answer = await send({ method: "GET", path, timeoutMs: patienceMs, mostBytes: LIST_BYTES, isCause: true });
  if (answer.status !== 200) return { why: readMessage(answer) };
  return { items: checkPage(answer.body).items.map(checkObject) };
}

/** A Deployment or a Rollout repeats what the API server said to its ReplicaSet. The other kinds say it in Events only. */
function readRefusal({ status = {} }: ApiObject): { readonly createRefused?: string } {
  const condition = (status.conditions ?? []).find(
    (each) => each.type === "ReplicaFailure" && each.status === "True" && each.reason === "FailedCreate",
  );
  const message = typeof condition?.message === "string" ? cleanText(condition.message) : "";
  return message === "" ? {} : { createRefused: message };
}

/** What the proxy of a pod refuses, as its istiod said last; undefined: nothing, or it is not known. */
export type FindRefusal = (namespace: string, pod: string) => PodSeen["refusal"];

function projectPod(pod: ApiObject, findRefusal: FindRefusal): PodSeen {
  const refusal = findRefusal(pod.metadata?.namespace ?? "", pod.metadata?.name ?? "");
  return { ...projectPodStatus(pod), ...(refusal === undefined ? {} : { refusal }) };
}

async function read(send: Send, ref: PodWorkload, findRefusal: FindRefusal): Promise<RolloutRead> {
  const { namespace, kind, name } = ref;
  const inNamespace = `namespaces/${encodeURIComponent(namespace)}`;
  const field = encodeURIComponent(`metadata.name=${name}`);
  const found = await list(send, `${nameCollection(ref)}?fieldSelector=${field}`);
  if ("why" in found) return { kind: "unread", why: found.why };
  const workload = found.items.find(({ metadata }) => metadata?.name === name);
  if (workload === undefined) return { kind: "unread", why: `${kind} ${name} is gone` };
  const selector = selectNewest(ref, workload);
  if (selector === undefined) return { kind: "unread", why: `${kind} ${name} selects no pods of its own` };
  const query = `labelSelector=${encodeURIComponent(selector)}&limit=${mostPods}`;
  const pods = await list(send, `/api/v1/${inNamespace}/pods?${query}`);
  if ("why" in pods) return { kind: "unread", why: pods.why };
  const newest = chooseNewest(ref, workload, pods.items);
  const { degraded } = kind === "Rollout" ? (readArgo(workload).argo ?? {}) : {};
  const said = { ...readRefusal(workload), ...(degraded === undefined ? {} : { degraded }) };
  return { kind: "read", rollout: { pods: newest.map((pod) => projectPod(pod, findRefusal)), ...said } };
}

/** Reads a workload and the pods of its newest template, with the rights that following them needs. */
export async function readRollout(send: Send, ref: WorkloadRef, findRefusal: FindRefusal): Promise<RolloutRead> {
  const { kind } = ref;
  // Of VMs no kubelet and no scheduler knows.
  if (kind === "WorkloadGroup") return { kind: "read", rollout: { pods: [] } };
  try {
    return await read(send, { ...ref, kind }, findRefusal);
  } catch (error) {
    return { kind: "unread", why: error instanceof Error ? error.message : String(error) };
  }
}
