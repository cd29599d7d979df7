import { cleanLine, isObject, lookUp } from "#libs/input";

/** Why a move failed, by its pods: what people look at first. Recorded with the failure. */
export type FailureCause =
  /** `reason`: the kubelet's, such as `ImagePullBackOff`. */
  (
    | { readonly code: "ImagePull"; readonly container: string; readonly image: string; readonly reason: string }
    /** The container ended, and again after each restart. `reason`: `OOMKilled`, …; `message`: the runtime's, where it never ran. */
    | {
        readonly code: "Crash";
        readonly container: string;
        readonly exitCode: number;
        readonly restarts: number;
        readonly reason?: string;
        readonly message?: string;
      }
    /** The container was never started: `CreateContainerConfigError`, … */
    | { readonly code: "NotStarted"; readonly container: string; readonly reason: string; readonly message?: string }
    /** So many pods have no node. `message`: the scheduler's. */
    | { readonly code: "Unschedulable"; readonly pods: number; readonly message: string }
    /** A pod ended as a whole: `Evicted`, … */
    | { readonly code: "PodFailed"; readonly reason: string; readonly message?: string }
    /** The API server or an admission webhook refused new pods. */
    | { readonly code: "CreateRefused"; readonly message: string }
    /** An init container runs on, so that no other container starts. */
    | { readonly code: "InitRunning"; readonly container: string }
    /** The proxy refuses what its istiod sends, so that it is not ready. `reason`: `Listener`, …; `message`: the proxy's words. */
    | {
        readonly code: "ConfigRefused";
        readonly container: string;
        readonly reason: string;
        readonly message: string;
      }
    /** The container runs and is not ready. */
    | { readonly code: "NotReady"; readonly container: string }
    /** All containers are ready, the pod is not: a readiness gate. */
    | { readonly code: "PodNotReady"; readonly message: string }
    /** Argo aborted the update, or found the spec invalid. `message`: its own words. */
    | { readonly code: "Degraded"; readonly message: string }
    /** A VM of the group was not upgraded. `reason` and `message`: its agent's. */
    | { readonly code: "VmNotUpgraded"; readonly vm: string; readonly reason: string; readonly message: string }
    /** The API server refused the restart after the label of the namespace was written. */
    | { readonly code: "RestartRefused"; readonly message: string }
  ) & {
    /** `Kind/name` of the workload, where the failure is recorded on its namespace. */
    readonly workload?: string;
    /** The proxy of the same pod, where it runs and is not ready: then the container may have no network. */
    readonly unready?: string;
  };

/** The fields that each code needs; the others are kept where they are there. */
const needed: Readonly<Record<FailureCause["code"], readonly string[]>> = {
  ImagePull: ["container", "image", "reason"],
  Crash: ["container", "exitCode", "restarts"],
  NotStarted: ["container", "reason"],
  Unschedulable: ["pods", "message"],
  PodFailed: ["reason"],
  CreateRefused: ["message"],
  InitRunning: ["container"],
  ConfigRefused: ["container", "reason", "message"],
  NotReady: ["container"],
  PodNotReady: ["message"],
  Degraded: ["message"],
  VmNotUpgraded: ["vm", "reason", "message"],
  RestartRefused: ["message"],
};

/** Most characters of each text. */
const texts: Readonly<Record<string, number>> = {
  container: 63,
  vm: 128,
  unready: 63,
  image: 200,
  reason: 63,
  message: 240,
  workload: 270,
};
const counts: readonly string[] = ["exitCode", "restarts", "pods"];

function readField(cause: Readonly<Record<string, unknown>>, name: string): string | number | undefined {
  const value = lookUp(cause, name);
  if (counts.includes(name)) return Number.isSafeInteger(value) ? Number(value) : undefined;
  const text = typeof value === "string" ? cleanLine(value, lookUp(texts, name)) : "";
  return text === "" ? undefined : text;
}

/**
 * A cause with texts of others cleaned and cut, and only its own fields. Undefined where it is none: an unknown code, or a field that is
 * missing or of another kind.
 */
export function readCause(value: unknown): FailureCause | undefined {
  if (!isObject(value) || typeof value["code"] !== "string") return undefined;
  const fieldsOfCode = lookUp(needed, value["code"]);
  if (fieldsOfCode === undefined) return undefined;
  const fields = [...Object.keys(texts), ...counts].flatMap((name) => {
    const field = readField(value, name);
    return field === undefined ? [] : [[name, field] as const];
  });
  const cause = Object.fromEntries(fields);
  if (fieldsOfCode.some((name) => lookUp(cause, name) === undefined)) return undefined;
  return { code: value["code"], ...cause } as unknown as FailureCause;
}

/** `readCause` of a JSON text. */
export function parseCause(text: string): FailureCause | undefined {
  try {
    return readCause(JSON.parse(text));
  } catch {
    // A person may have edited it. The failure counts all the same, without its cause.
    return undefined;
  }
}
