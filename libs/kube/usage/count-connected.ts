import { placeSystemError } from "#libs/input";
import type { RevisionUse } from "#libs/fleet";

import type { ApiObject } from "../api-types.ts";
import { ASKER_VERSION } from "../objects/mesh/proxy-status.ts";
import { readMessage, type Send } from "../requests/api-call.ts";
import { revisionLabel } from "./revision-label.ts";

const port = 15_014;
/** Real ms for one istiod. */
const limitMs = 10_000;

/** The sum of istiod's gauge `pilot_xds`: connected proxies of all versions, without an executor that asks just now. @internal */
export function readConnected(metrics: string): number | undefined {
  const lines = metrics.split("\n").filter((line) => /^pilot_xds(?:\{[^}]*\})? /u.test(line));
  const ofProxies = lines.filter((line) => !line.includes(`version="${ASKER_VERSION}"`));
  const values = ofProxies.map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  return lines.length === 0 || values.some(Number.isNaN) ? undefined : values.reduce((sum, each) => sum + each, 0);
}

function isIstiod({ metadata: { labels = {} } = {}, status = {} }: ApiObject, revision: string): boolean {
  const isOfRevision = labels["app"] === "istiod" && (labels[revisionLabel] ?? "default") === revision;
  return isOfRevision && status.phase !== "Succeeded" && status.phase !== "Failed";
}

/** The connected proxies of one istiod, or why they could not be read. */
async function readConnectedOf(send: Send, namespace: string, name: string): Promise<number | string> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}:${port}/proxy/metrics`;
  try {
    const answer = await send({ method: "GET", path, timeoutMs: limitMs, isPassedOn: true });
    if (answer.status !== 200) return readMessage(answer);
    const connected = typeof answer.body === "string" ? readConnected(answer.body) : undefined;
    return connected ?? "its metrics have no pilot_xds";
  } catch (error) {
    return placeSystemError(error);
  }
}

/** One use per istiod of the revision that has connected proxies; istiods that could not be read are named in `unread`. */
export async function countConnected(
  send: Send,
  pods: readonly ApiObject[],
  revision: string,
): Promise<{ readonly uses: readonly RevisionUse[]; readonly unread: readonly string[] }> {
  const answers = await Promise.all(
    pods
      .filter((pod) => isIstiod(pod, revision))
      .map(async ({ metadata: { namespace = "", name = "" } = {} }) => {
        return { what: `${namespace}/Pod/${name}`, connected: await readConnectedOf(send, namespace, name) };
      }),
  );
  const uses = answers.flatMap(({ what, connected }): readonly RevisionUse[] =>
    typeof connected === "number" && connected > 0 ? [{ as: "connected", what, count: connected }] : [],
  );
  const unread = answers.flatMap(({ what, connected }) =>
    typeof connected === "string" ? [`proxies of ${what}: ${connected}`] : [],
  );
  return { uses, unread };
}
