import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

import type { OwnCluster } from "../../test/cluster/bed/start-cluster.ts";

/** A pod as far as a label tells what was done to it. */
interface MadePod {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** Creates pods as an administrator, one after the other over one connection. */
export class PodMaker {
  readonly #agent: Agent;
  readonly #server: URL;

  constructor({ certificates, server }: Pick<OwnCluster, "certificates" | "server">) {
    const { cert, key } = certificates.of("admin");
    const login = { ca: readFileSync(certificates.authority), cert: readFileSync(cert), key: readFileSync(key) };
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ...login });
    this.#server = new URL(server);
  }

  /** Returns the pod as the API server stored it. */
  async make(namespace: string, pod: object): Promise<MadePod> {
    const { hostname, port } = this.#server;
    const body = JSON.stringify({ apiVersion: "v1", kind: "Pod", ...pod });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const path = `/api/v1/namespaces/${namespace}/pods`;
    return new Promise((resolve, reject) => {
      const call = request({ hostname, port, path, method: "POST", agent: this.#agent, headers });
      call.on("error", reject);
      call.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode === 201) resolve(JSON.parse(text) as MadePod);
          else reject(new Error(`a pod was refused: ${text}`));
        });
      });
      call.end(body);
    });
  }

  end(): void {
    this.#agent.destroy();
  }
}
