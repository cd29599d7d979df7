import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

import type { OwnCluster } from "../../test/cluster/bed/start-cluster.ts";

/** A pod as the API server has it, as far as a label tells what was done to it. */
interface MadePod {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** Creates pods as fast as one client with a few connections can. */
export class PodMaker {
  readonly #agent: Agent;
  readonly #server: URL;
  #count = 0;

  constructor({ certificates, server }: Pick<OwnCluster, "certificates" | "server">) {
    const { cert, key } = certificates.of("admin");
    const login = { ca: readFileSync(certificates.authority), cert: readFileSync(cert), key: readFileSync(key) };
    this.#agent = new Agent({ keepAlive: true, maxSockets: 8, ...login });
    this.#server = new URL(server);
  }

  /** Creates the object; returns the pod as the API server stored it. */
  async #post(path: string, body: string): Promise<MadePod> {
    const { hostname, port } = this.#server;
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: "POST", agent: this.#agent, headers });
      sent.on("error", reject);
      sent.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode === 201) resolve(JSON.parse(text) as MadePod);
          else reject(new Error(`the API server refused a pod: ${text}`));
        });
      });
      sent.end(body);
    });
  }

  /** One more pod of this template in the namespace; returns its revision label. */
  async make(namespace: string, template: object): Promise<string> {
    const name = `pod-${this.#count++}`;
    const { metadata = {}, ...rest } = template as { readonly metadata?: object };
    const pod = { apiVersion: "v1", kind: "Pod", ...rest, metadata: { ...metadata, name } };
    const made = await this.#post(`/api/v1/namespaces/${namespace}/pods`, JSON.stringify(pod));
    return made.metadata?.labels?.["istio.io/rev"] ?? "none";
  }

  end(): void {
    this.#agent.destroy();
  }
}
