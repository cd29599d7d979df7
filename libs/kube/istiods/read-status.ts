import type { WebSocket } from "ws";

import { type ApiAnswer, LIST_BYTES } from "../requests/api-call.ts";
import { ISTIOD_ACCOUNT, type ReadStatus } from "./ask-istiod.ts";
import { askOverGrpc } from "./ask-over-grpc.ts";
import { decodeSyncResponse, encodeSyncRequest } from "./discovery.ts";
import { createPortStream, PORT_FORWARD_PROTOCOL, pathOfPort } from "./port-forward.ts";

/** istiod's port for proxies that log in. */
export const XDS_PORT = 15_012;
/** Real ms. */
const dialMs = 10_000;
/** For TLS and a list of 10,000 proxies together, real ms. */
const answerMs = 20_000;

/** Opens a WebSocket of the subprotocol at the API server. */
type Dial = (path: string, protocol: string, timeoutMs: number) => Promise<ApiAnswer | WebSocket>;

/** Asks as `istioctl proxy-status` does: by ADS, through the API server's port-forward to the pod. */
export function createStatusReader(dial: Dial): ReadStatus {
  return async (pod, trust, token) => {
    const opened = await dial(pathOfPort(pod, XDS_PORT), PORT_FORWARD_PROTOCOL, dialMs);
    if ("body" in opened) return opened;
    const message = encodeSyncRequest({ namespace: pod.namespace, account: ISTIOD_ACCOUNT });
    const call = { trust, token, message, mostBytes: LIST_BYTES, timeoutMs: answerMs };
    return decodeSyncResponse(await askOverGrpc(createPortStream(opened), call));
  };
}
