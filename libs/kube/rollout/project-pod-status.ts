import type { ContainerSeen, Ended, PodSeen } from "#libs/fleet";
import { isObject } from "#libs/input";
import { cleanText } from "#libs/runtime";

/** An object of the API of which nothing is certain. */
type Fields = Readonly<Record<string, unknown>>;

function readFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function readList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** As one line without secrets; undefined where there is no text. */
function readText(value: unknown): string | undefined {
  const text = typeof value === "string" ? cleanText(value) : "";
  return text === "" ? undefined : text;
}

function readCount(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : 0;
}

/** The key only where there is a text. */
function given<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  const text = readText(value);
  return text === undefined ? {} : ({ [key]: text } as { readonly [P in K]: string });
}

/** Of these ends the message is the runtime's. That of all others is what the program wrote itself, which may be anything. */
const neverRan: ReadonlySet<unknown> = new Set(["StartError", "ContainerCannotRun"]);

function readEnded(value: unknown): Ended | undefined {
  const { exitCode, reason, message } = readFields(value);
  if (!Number.isSafeInteger(exitCode)) return undefined;
  const said = neverRan.has(reason) ? given("message", message) : {};
  return { exitCode: Number(exitCode), ...given("reason", reason), ...said };
}

function readState(value: unknown): ContainerSeen["state"] {
  const { waiting, running, terminated } = readFields(value);
  const ended = readEnded(terminated);
  if (ended !== undefined) return { kind: "ended", ...ended };
  if (isObject(running)) return { kind: "running" };
  if (!isObject(waiting)) return { kind: "unknown" };
  const { reason, message } = waiting;
  return { kind: "waiting", reason: readText(reason) ?? "", ...given("message", message) };
}

/** The containers of one list of the status, whose images and restart policies are in the spec. */
function readContainers(statuses: unknown, spec: unknown, isInit: boolean): readonly ContainerSeen[] {
  const specs = new Map(readList(spec).map((each) => [each["name"], each]));
  return readList(statuses).map((status): ContainerSeen => {
    const { name, image, ready, restartCount, state, lastState } = status;
    const own = specs.get(name) ?? {};
    const last = readEnded(readFields(lastState)["terminated"]);
    const role = !isInit ? "app" : own["restartPolicy"] === "Always" ? "sidecar" : "init";
    return {
      name: readText(name) ?? "",
      image: readText(own["image"]) ?? readText(image) ?? "",
      role,
      ready: ready === true,
      restarts: readCount(restartCount),
      state: readState(state),
      ...(last === undefined ? {} : { last }),
    };
  });
}

type Conditions = Pick<PodSeen, "ready" | "unready" | "unscheduled">;

function readConditions(conditions: unknown): Conditions {
  const find = (type: string) => readFields(readList(conditions).find((condition) => condition["type"] === type));
  const [ready, scheduled] = [find("Ready"), find("PodScheduled")];
  const isReady = ready["status"] === "True";
  const isWaiting = scheduled["status"] === "False";
  return {
    ready: isReady,
    ...(isReady ? {} : given("unready", ready["message"])),
    ...(isWaiting ? given("unscheduled", scheduled["message"] ?? scheduled["reason"]) : {}),
  };
}

/** What a kubelet and the scheduler say of a pod. Fields of another kind than the API promises count as absent. */
export function projectPodStatus(pod: object): PodSeen {
  const { spec, status } = pod as { readonly spec?: unknown; readonly status?: unknown };
  const { containers, initContainers } = readFields(spec);
  const { phase, reason, message, conditions, containerStatuses, initContainerStatuses } = readFields(status);
  return {
    ...readConditions(conditions),
    ...(phase === "Failed" ? { failed: { reason: readText(reason) ?? "Failed", ...given("message", message) } } : {}),
    containers: [
      ...readContainers(initContainerStatuses, initContainers, true),
      ...readContainers(containerStatuses, containers, false),
    ],
  };
}
