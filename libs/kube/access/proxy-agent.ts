import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions } from "node:tls";

import { KubeconfigError } from "./kubeconfig-error.ts";

type Created = (error: Error | null, socket?: Duplex) => void;

/** Asks the proxy for a tunnel to `host:port`. */
async function openTunnel(proxy: URL, host: string, port: number): Promise<Duplex> {
  const login = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const headers = login === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === "https:" ? https : http).request({
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    path: target,
    headers: { host: target, ...headers },
    timeout: 30_000,
    agent: false,
  });
  return new Promise((resolve, reject) => {
    request.once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} to CONNECT ${target}`));
    });
    request.once("timeout", () => request.destroy(new Error(`the proxy ${proxy.host} does not answer`)));
    request.once("error", reject);
    request.end();
  });
}

/** Node's agents take their sockets by a callback. */
async function connectThrough(
  proxy: URL,
  host: string,
  port: number,
  options: ConnectionOptions,
  created: Created,
): Promise<void> {
  let socket: Duplex;
  try {
    socket = connect({ ...options, socket: await openTunnel(proxy, host, port) });
  } catch (error) {
    created(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  created(null, socket);
}

/** An agent whose connections lead through an HTTP(S) proxy, by CONNECT, with TLS to the API server inside. */
export function createProxyAgent(url: string): https.Agent {
  const proxy = URL.parse(url);
  if (proxy === null || (proxy.protocol !== "http:" && proxy.protocol !== "https:")) {
    throw new KubeconfigError("the kubeconfig's proxy-url is of no kind that meshroll speaks: use http:// or https://");
  }
  const agent = new https.Agent({ keepAlive: true });
  agent.createConnection = (options, created) => {
    const { host = "", port = 443 } = options as { readonly host?: string; readonly port?: number };
    void connectThrough(proxy, host, Number(port), options as ConnectionOptions, created as Created);
    return undefined;
  };
  return agent;
}
