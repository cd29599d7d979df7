import { isObject } from "#libs/input";

import {
  ASKER_VERSION,
  type IstiodStatus,
  type ProxyStatus,
  type ResourceStatus,
} from "../objects/mesh/proxy-status.ts";
import { decodeAll, decodeFields, encodeField, type Fields, readText } from "./protobuf.ts";

/** Who asks: a ServiceAccount, as the token says too. */
export interface Asker {
  readonly namespace: string;
  readonly account: string;
}

/** What `istioctl proxy-status` asks for: the state of every proxy that is connected to this istiod. */
export const SYNC_TYPE = "istio.io/debug/syncz";

/** Numbers of the fields that are used, in the messages of envoy.service.discovery.v3 and envoy.service.status.v3. */
export const FIELDS = {
  request: { version: 1, node: 2, names: 3, type: 4, nonce: 5, error: 6 },
  response: { version: 1, resources: 2, type: 4, nonce: 5, controlPlane: 6 },
  controlPlane: { identifier: 1 },
  node: { id: 1, metadata: 3 },
  any: { type: 1, value: 2 },
  client: { node: 1, configs: 3 },
  config: { type: 1, status: 6, error: 8 },
  failure: { details: 3 },
  status: { code: 1, message: 2 },
  struct: { fields: 1 },
  entry: { key: 1, value: 2 },
  value: { text: 3, struct: 5 },
} as const;

/** ConfigStatus by its number. */
export const STATES = ["unknown", "synced", "notSent", "stale", "error"] as const;

/** Values of a google.protobuf.Struct. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** @internal Proxies of tests describe themselves by it too. */
export function encodeStruct(texts: Texts): Buffer {
  const entries = Object.entries(texts).map(([key, each]) => {
    const value =
      typeof each === "string"
        ? encodeField(FIELDS.value.text, each)
        : encodeField(FIELDS.value.struct, encodeStruct(each));
    const entry = [encodeField(FIELDS.entry.key, key), encodeField(FIELDS.entry.value, value)];
    return encodeField(FIELDS.struct.fields, Buffer.concat(entry));
  });
  return Buffer.concat(entries);
}

/** A node without a ProxyConfig: istiod does not list it among its proxies. */
function encodeNode({ namespace, account }: Asker): Buffer {
  const id = `sidecar~0.0.0.0~meshroll.${namespace}~${namespace}.svc.cluster.local`;
  const metadata = encodeStruct({
    NAMESPACE: namespace,
    SERVICE_ACCOUNT: account,
    GENERATOR: "event",
    ISTIO_VERSION: ASKER_VERSION,
  });
  return Buffer.concat([encodeField(FIELDS.node.id, id), encodeField(FIELDS.node.metadata, metadata)]);
}

/** DiscoveryRequest for the state of all proxies. */
export function encodeSyncRequest(asker: Asker): Buffer {
  return Buffer.concat([
    encodeField(FIELDS.request.node, encodeNode(asker)),
    encodeField(FIELDS.request.type, SYNC_TYPE),
  ]);
}

/** `{"Component":"istiod","ID":"istiod-…","Info":{"version":"1.31.0",…}}` */
function readVersion(identifier: string): string | undefined {
  const said: unknown = JSON.parse(identifier);
  const info = isObject(said) ? said["Info"] : undefined;
  const version = isObject(info) ? info["version"] : undefined;
  return typeof version === "string" && version !== "" ? version : undefined;
}

function readResource(config: Fields): ResourceStatus {
  const [failure] = decodeAll(config, FIELDS.config.error);
  const error = failure === undefined ? undefined : readText(failure, FIELDS.failure.details);
  return {
    type: readText(config, FIELDS.config.type) ?? "",
    state: STATES[config.numbers.get(FIELDS.config.status) ?? 0] ?? "unknown",
    ...(error === undefined ? {} : { error }),
  };
}

function readProxy(any: Fields): ProxyStatus {
  const client = decodeFields(any.bytes.get(FIELDS.any.value)?.[0] ?? Buffer.alloc(0));
  const [node] = decodeAll(client, FIELDS.client.node);
  const proxy = node === undefined ? undefined : readText(node, FIELDS.node.id);
  if (proxy === undefined) throw new Error("the answer has a proxy without a name");
  return { proxy, resources: decodeAll(client, FIELDS.client.configs).map(readResource) };
}

/** Reads the DiscoveryResponse. Throws for what is none. */
export function decodeSyncResponse(message: Buffer): IstiodStatus {
  const response = decodeFields(message);
  const [plane] = decodeAll(response, FIELDS.response.controlPlane);
  const identifier = plane === undefined ? undefined : readText(plane, FIELDS.controlPlane.identifier);
  const version = identifier === undefined ? undefined : readVersion(identifier);
  return {
    ...(version === undefined ? {} : { version }),
    proxies: decodeAll(response, FIELDS.response.resources).map(readProxy),
  };
}
