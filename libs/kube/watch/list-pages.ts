import { type ApiAnswer, LIST_BYTES, ServerUnreachable } from "../requests/api-call.ts";
import type { Sink } from "../store/collection.ts";
import type { Connection } from "../requests/connection.ts";
import { describeUnreachable, describeUnread, type ReflectorFault, toFault } from "./reflector-fault.ts";
import type { WatchedResource } from "./watched-resources.ts";
import { checkObject, checkPage, ObjectUnreadable } from "../objects/check-object.ts";

export type ListResult = { readonly version: string } | { readonly fault: ReflectorFault };

/**
 * Objects per page: 500 pods are about 5 MB of JSON and 30 ms of parsing. If a page is too large to be read, the list starts
 * again with smaller pages, so that large objects do not hide their cluster.
 */
const pageSizes = [500, 50, 5] as const;

/** Reads the whole collection into the sink, page by page. After a fault everything known before is kept. */
export async function listPages(
  connection: Connection,
  resource: WatchedResource,
  sink: Sink,
  signal: AbortSignal,
): Promise<ListResult> {
  let result: ListResult = await listBy(pageSizes[0], connection, resource, sink, signal);
  for (const size of pageSizes.slice(1)) {
    if (!("fault" in result) || result.fault.kind !== "tooLarge") return result;
    result = await listBy(size, connection, resource, sink, signal);
  }
  return result;
}

async function listBy(
  size: number,
  connection: Connection,
  resource: WatchedResource,
  sink: Sink,
  signal: AbortSignal,
): Promise<ListResult> {
  sink.beginList();
  try {
    let token = "";
    for (;;) {
      const answer = await readPage(connection, resource, size, token, signal);
      if ("fault" in answer) {
        sink.abandonList();
        return answer;
      }
      const page = checkPage(answer.body);
      for (const item of page.items) sink.upsert(checkObject(item));
      if (page.token === "") {
        sink.endList();
        return { version: page.resourceVersion };
      }
      // A page without objects but with a next page would loop for ever.
      if (page.items.length === 0) throw new ObjectUnreadable("a page without objects names a next one");
      token = page.token;
    }
  } catch (error) {
    sink.abandonList();
    return { fault: describeUnread(resource.name, error) };
  }
}

async function readPage(
  connection: Connection,
  { name, path }: WatchedResource,
  size: number,
  token: string,
  signal: AbortSignal,
): Promise<ApiAnswer | { readonly fault: ReflectorFault }> {
  const query = `limit=${size}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
  try {
    const call = { method: "GET", path: `${path}?${query}`, mostBytes: LIST_BYTES } as const;
    const answer = await connection.send(call, signal);
    return answer.status === 200 ? answer : { fault: toFault(name, answer) };
  } catch (error) {
    if (!(error instanceof ServerUnreachable)) throw error;
    return { fault: describeUnreachable(name, error) };
  }
}
