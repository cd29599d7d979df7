import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";

import { KubeconfigError } from "./kubeconfig-error.ts";

type Created = (error: Error | null, socket?: Duplex) => void;

/** For the tunnel and the TLS handshake inside of it together, real ms. */
const patienceMs = 30_000;

/** Asks the proxy for a tunnel to `host:port`. */
async function openTunnel(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const login = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const headers = login === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === "https:" ? https : http).request({
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    path: target,
    headers: { host: target, ...headers },
    signal,
    agent: false,
  });
  return new Promise((resolve, reject) => {
    request.once("connect", (response, socket, head) => {
      // Bytes that arrived together with the proxy's answer belong to the tunnel.
      if (head.length > 0) socket.unshift(head);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} to CONNECT ${target}`));
    });
    request.once("error", reject);
    request.end();
  });
}

async function secure(tunnel: Duplex, options: ConnectionOptions, signal: AbortSignal): Promise<TLSSocket> {
  const socket = connect({ ...options, socket: tunnel });
  try {
    await once(socket, "secureConnect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    tunnel.destroy();
    throw error;
  }
}

/** Node's agents take their sockets by a callback. */
async function connectThrough(
  proxy: URL,
  limitMs: number,
  [host, port]: readonly [string, number],
  options: ConnectionOptions,
  created: Created,
): Promise<void> {
  // A limit for the whole handshake: single bytes now and then would never reach an idle limit.
  const signal = AbortSignal.timeout(limitMs);
  try {
    created(null, await secure(await openTunnel(proxy, host, port, signal), options, signal));
  } catch (error) {
    const late = `through the proxy ${proxy.host} there is no connection within ${limitMs} ms`;
    if (signal.aborted) created(new Error(late, { cause: error }));
    else created(error instanceof Error ? error : new Error(String(error)));
  }
}

/** An agent whose connections lead through an HTTP(S) proxy, by CONNECT, with TLS to the API server inside. */
export function createProxyAgent(url: string, limitMs: number = patienceMs): https.Agent {
  const proxy = URL.parse(url);
  if (proxy === null || (proxy.protocol !== "http:" && proxy.protocol !== "https:")) {
    throw new KubeconfigError("the kubeconfig's proxy-url is of no kind that meshroll speaks: use http:// or https://");
  }
  const agent = new https.Agent({ keepAlive: true });
  agent.createConnection = (options, created) => {
    const { host = "", port = 443 } = options as { readonly host?: string; readonly port?: number };
    void connectThrough(proxy, limitMs, [host, Number(port)], options as ConnectionOptions, created as Created);
    return undefined;
  };
  return agent;
}
