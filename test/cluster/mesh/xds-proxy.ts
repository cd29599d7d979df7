import { type ClientHttp2Session, connect } from "node:http2";

import { encodeStruct, FIELDS } from "../../../libs/kube/istiods/discovery.ts";
import { decodeFields, encodeField, readText } from "../../../libs/kube/istiods/protobuf.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import { until } from "../bed/until.ts";
import type { OwnIstiod } from "./start-mesh.ts";

/** What stands for the Envoy of a pod, which KWOK does not run: it asks a real istiod for its configuration, and answers. */
export interface XdsProxy {
  /** `<pod>.<namespace>` */
  readonly name: string;
  /** Refuses what istiod sends from now on, and what it sent last, with these words; undefined: takes all again. */
  answer(refusal: string | undefined): void;
  end(): void;
}

const types = ["cluster.v3.Cluster", "listener.v3.Listener"].map((type) => `type.googleapis.com/envoy.config.${type}`);

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly status: { readonly podIP: string };
}

function encodeNode({ metadata: { name, namespace }, status: { podIP } }: Pod): Buffer {
  const metadata = {
    NAMESPACE: namespace,
    CLUSTER_ID: "Kubernetes",
    ISTIO_VERSION: "1.31.0",
    INTERCEPTION_MODE: "NONE",
    SERVICE_ACCOUNT: "default",
    PROXY_CONFIG: { discoveryAddress: "istiod:15012" },
  };
  const id = `sidecar~${podIP}~${name}.${namespace}~${namespace}.svc.cluster.local`;
  return Buffer.concat([encodeField(FIELDS.node.id, id), encodeField(FIELDS.node.metadata, encodeStruct(metadata))]);
}

function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Calls with each message of gRPC that arrives. */
function createFrameReader(hear: (message: Buffer) => void): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0);
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 5 && waiting.length >= 5 + waiting.readUInt32BE(1)) {
      const end = 5 + waiting.readUInt32BE(1);
      hear(waiting.subarray(5, end));
      waiting = waiting.subarray(end);
    }
  };
}

interface Sent {
  readonly type: string;
  readonly nonce: string;
  readonly version: string;
}

function readSent(message: Buffer): Sent {
  const response = decodeFields(message);
  const { type, nonce, version } = FIELDS.response;
  return {
    type: readText(response, type) ?? "",
    nonce: readText(response, nonce) ?? "",
    version: readText(response, version) ?? "",
  };
}

function encodeAnswer({ type, nonce, version }: Sent, refusal: string | undefined): Buffer {
  const { request, status } = FIELDS;
  const error = Buffer.concat([encodeField(status.code, 13), encodeField(status.message, refusal ?? "")]);
  return Buffer.concat([
    encodeField(request.type, type),
    encodeField(request.nonce, nonce),
    ...(refusal === undefined ? [encodeField(request.version, version)] : [encodeField(request.error, error)]),
  ]);
}

function openStream(session: ClientHttp2Session, token: string) {
  return session.request({
    ":method": "POST",
    ":path": "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
}

/** Connects a proxy for each pod with this label to the istiod, and waits until each was sent all that it asked for. */
export async function connectProxies(
  cluster: OwnCluster,
  { ports }: Pick<OwnIstiod, "ports">,
  namespace: string,
  label: string,
): Promise<readonly XdsProxy[]> {
  const kubectl = (...args: readonly string[]) => cluster.kubectl(["-n", namespace, ...args]);
  const authority = String.raw`jsonpath={.data.root-cert\.pem}`;
  const readAuthority = () => kubectl("get", "configmap", "istio-ca-root-cert", "--ignore-not-found", "-o", authority);
  await until(`${namespace} has istiod's authority`, () => readAuthority() !== "");
  const ca = readAuthority();
  const token = kubectl("create", "token", "default", "--audience", "istio-ca").trim();
  const { items } = JSON.parse(kubectl("get", "pods", "-l", label, "-o", "json")) as { readonly items: readonly Pod[] };
  return Promise.all(items.map(async (pod) => connectProxy(`https://localhost:${ports.xds}`, { ca, token, pod })));
}

interface Login {
  readonly ca: string;
  readonly token: string;
  readonly pod: Pod;
}

async function connectProxy(url: string, { ca, token, pod }: Login): Promise<XdsProxy> {
  const session = connect(url, { ca });
  const stream = openStream(session, token);
  const sent = new Map<string, Sent>();
  let refusal: string | undefined;
  const say = (each: Sent) => void stream.write(frame(encodeAnswer(each, refusal)));
  stream.on(
    "data",
    createFrameReader((message) => {
      const each = readSent(message);
      sent.set(each.type, each);
      say(each);
    }),
  );
  const node = encodeField(FIELDS.request.node, encodeNode(pod));
  for (const type of types) stream.write(frame(Buffer.concat([node, encodeField(FIELDS.request.type, type)])));
  const name = `${pod.metadata.name}.${pod.metadata.namespace}`;
  await until(`${name} was sent its configuration`, () => sent.size === types.length);
  return {
    name,
    answer: (next) => {
      refusal = next;
      for (const each of sent.values()) say(each);
    },
    end: () => session.destroy(),
  };
}
