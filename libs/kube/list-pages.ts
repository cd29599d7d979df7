import { type ApiAnswer, ServerUnreachable } from "./api-call.ts";
import type { ApiList } from "./api-types.ts";
import type { Sink } from "./collection.ts";
import type { Connection } from "./connection.ts";
import { type ReflectorFault, toFault } from "./reflector-fault.ts";
import type { WatchedResource } from "./watched-resources.ts";

export type ListResult = { readonly version: string } | { readonly fault: ReflectorFault };

/** Objects per page: a page is parsed in one go, and 500 pods are about 5 MB of JSON, 30 ms. */
const PAGE = 500;

/** Reads the whole collection into the sink, page by page. On any fault nothing that was known is dropped. */
export async function listPages(
  connection: Connection,
  resource: WatchedResource,
  sink: Sink,
  signal: AbortSignal,
): Promise<ListResult> {
  sink.beginList();
  let token = "";
  for (;;) {
    const answer = await readPage(connection, resource, token, signal);
    if ("fault" in answer) {
      sink.abandonList();
      return answer;
    }
    const { metadata = {}, items = [] } = answer.body as ApiList;
    for (const item of items) sink.upsert(item);
    token = metadata.continue ?? "";
    if (token !== "") continue;
    sink.endList();
    return { version: metadata.resourceVersion ?? "0" };
  }
}

async function readPage(
  connection: Connection,
  { name, path }: WatchedResource,
  token: string,
  signal: AbortSignal,
): Promise<ApiAnswer | { readonly fault: ReflectorFault }> {
  const query = `limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
  try {
    const answer = await connection.send({ method: "GET", path: `${path}?${query}` }, signal);
    return answer.status === 200 ? answer : { fault: toFault(name, answer) };
  } catch (error) {
    if (!(error instanceof ServerUnreachable)) throw error;
    return { fault: { resource: name, kind: "cut", why: error.message } };
  }
}
