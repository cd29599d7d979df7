import type { RevisionUse } from "#libs/fleet";

import type { ApiObject } from "../api-types.ts";
import { readMessage, type Send } from "../requests/api-call.ts";

const port = 15_014;
/** Real ms for one istiod. */
const limitMs = 10_000;

/** The sum of istiod's gauge `pilot_xds`: connected proxies of all versions. @internal */
export function readConnected(metrics: string): number | undefined {
  const lines = metrics.split("\n").filter((line) => /^pilot_xds(?:\{[^}]*\})? /u.test(line));
  const values = lines.map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  return lines.length === 0 || values.some(Number.isNaN) ? undefined : values.reduce((sum, each) => sum + each, 0);
}

function isIstiod({ metadata: { labels = {} } = {}, status = {} }: ApiObject, revision: string): boolean {
  const isOfIt = labels["app"] === "istiod" && (labels["istio.io/rev"] ?? "default") === revision;
  return isOfIt && status.phase !== "Succeeded" && status.phase !== "Failed";
}

async function ask(send: Send, namespace: string, name: string): Promise<number | string> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}:${port}/proxy/metrics`;
  try {
    const answer = await send({ method: "GET", path, timeoutMs: limitMs, isPassedOn: true });
    if (answer.status !== 200) return readMessage(answer);
    const connected = typeof answer.body === "string" ? readConnected(answer.body) : undefined;
    return connected ?? "its metrics have no pilot_xds";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Asks each istiod of the revision for its proxies. If one does not answer, the sum is unknown. */
export async function countConnected(
  send: Send,
  pods: readonly ApiObject[],
  revision: string,
): Promise<{ readonly uses: readonly RevisionUse[]; readonly unread: readonly string[] }> {
  const answers = await Promise.all(
    pods
      .filter((pod) => isIstiod(pod, revision))
      .map(async ({ metadata: { namespace = "", name = "" } = {} }) => {
        return { what: `${namespace}/Pod/${name}`, said: await ask(send, namespace, name) };
      }),
  );
  const uses = answers.flatMap(({ what, said }): readonly RevisionUse[] =>
    typeof said === "number" && said > 0 ? [{ as: "connected", what, count: said }] : [],
  );
  const unread = answers.flatMap(({ what, said }) => (typeof said === "string" ? [`proxies of ${what}: ${said}`] : []));
  return { uses, unread };
}
