import type { RevisionUse } from "#libs/fleet";

import { lookUp } from "#libs/input";

import type { ApiMap, ApiObject } from "../api-types.ts";
import { readMessage, type Send } from "../requests/api-call.ts";
import { vmRevisionKey } from "../objects/vms/vm-keys.ts";
import { readAll } from "./read-all.ts";
import { revisionLabel } from "./revision-label.ts";

/** API groups whose objects an istiod reads; a label may assign such an object to another revision. */
const groups = [
  "networking.istio.io",
  "security.istio.io",
  "telemetry.istio.io",
  "extensions.istio.io",
  "gateway.networking.k8s.io",
] as const;

interface Kind {
  readonly path: string;
  readonly kind: string;
}

interface Discovered {
  readonly kinds: readonly Kind[];
  readonly unread: readonly string[];
}

interface Group {
  readonly preferredVersion?: { readonly groupVersion?: string };
}

interface Resources {
  readonly resources?: readonly {
    readonly name?: string;
    readonly kind?: string;
    readonly verbs?: readonly string[];
  }[];
}

async function discover(send: Send, group: string): Promise<Discovered> {
  const found = await send({ method: "GET", path: `/apis/${group}` });
  if (found.status === 404) return { kinds: [], unread: [] };
  const version = (found.body as Group).preferredVersion?.groupVersion;
  if (found.status !== 200 || version === undefined) return { kinds: [], unread: [`${group}: ${readMessage(found)}`] };
  const answer = await send({ method: "GET", path: `/apis/${version}` });
  if (answer.status !== 200) return { kinds: [], unread: [`${version}: ${readMessage(answer)}`] };
  const kinds = ((answer.body as Resources).resources ?? []).flatMap(({ name = "", kind = "", verbs = [] }) =>
    name.includes("/") || !verbs.includes("list") ? [] : [{ path: `/apis/${version}/${name}`, kind }],
  );
  return { kinds, unread: [] };
}

interface Found {
  readonly uses: readonly RevisionUse[];
  readonly unread: readonly string[];
}

/** Labels are in a WorkloadEntry's spec, and in the template of a WorkloadGroup's spec; a group of ours names its revision itself. */
interface Machine {
  readonly spec?: { readonly labels?: ApiMap; readonly metadata?: { readonly labels?: ApiMap } };
}

function listCarried({ spec: { labels = {}, metadata } = {} }: Machine): readonly (string | undefined)[] {
  return [labels[revisionLabel], metadata?.labels?.[revisionLabel]];
}

/** Its VMs may run another revision than the label of their proxies says while they are moved: both are used. */
function carriesOne(object: ApiObject, names: readonly string[]): boolean {
  const carried = [...listCarried(object as Machine), lookUp(object.metadata?.annotations, vmRevisionKey)];
  return carried.some((each) => each !== undefined && names.includes(each));
}

function findOwn({ metadata: { labels = {} } = {} }: ApiObject): string {
  return labels[revisionLabel] ?? "";
}

function describe(
  as: RevisionUse["as"],
  kind: string,
  { metadata: { namespace, name = "" } = {} }: ApiObject,
): RevisionUse {
  return { as, what: [namespace, kind, name].filter((part) => part !== undefined).join("/"), count: 1 };
}

/** Objects with the label of the revision, or of a tag as a Gateway may have it. */
async function listLabelled(send: Send, { path, kind }: Kind, names: readonly string[]): Promise<Found> {
  const selector = encodeURIComponent(`${revisionLabel} in (${names.join(",")})`);
  const read = await readAll(send, `${path}?labelSelector=${selector}`);
  if (read.kind === "absent") return { uses: [], unread: [] };
  if (read.kind === "unread") return { uses: [], unread: [`${kind}: ${read.why}`] };
  return { uses: read.items.map((each) => describe("config", kind, each)), unread: [] };
}

/** VMs: the proxy's label is inside the spec, and ours is an annotation: no label selector reaches them. */
async function listMachines(send: Send, { path, kind }: Kind, names: readonly string[]): Promise<Found> {
  const read = await readAll(send, path);
  if (read.kind === "absent") return { uses: [], unread: [] };
  if (read.kind === "unread") return { uses: [], unread: [`${kind}: ${read.why}`] };
  const uses = read.items.flatMap((each) => {
    const config = names.includes(findOwn(each)) ? [describe("config", kind, each)] : [];
    return carriesOne(each, names) ? [...config, describe("machine", kind, each)] : config;
  });
  return { uses, unread: [] };
}

const machines: readonly string[] = ["WorkloadGroup", "WorkloadEntry"];

/** Configuration of Istio and of the Gateway API that stops applying without the revision. */
export async function listConfig(send: Send, names: readonly string[]): Promise<Found> {
  const found = await Promise.all(groups.map(async (group) => discover(send, group)));
  const listed = await Promise.all(
    found
      .flatMap(({ kinds }) => kinds)
      .map(async (kind) => (machines.includes(kind.kind) ? listMachines : listLabelled)(send, kind, names)),
  );
  const parts = [...found.map(({ unread }) => ({ uses: [], unread })), ...listed];
  return { uses: parts.flatMap(({ uses }) => uses), unread: parts.flatMap(({ unread }) => unread) };
}
