import { placeSystemError } from "#libs/input";
import type { ApiObject } from "../api-types.ts";
import { checkObject, checkPage, ObjectUnreadable } from "../objects/check-object.ts";
import { LIST_BYTES, readMessage, type Send } from "../requests/api-call.ts";

/** A collection that was read whole, one that the server does not have, or the reason why it was not read. */
export type ReadAll =
  | { readonly kind: "read"; readonly items: readonly ApiObject[] }
  | { readonly kind: "absent" }
  | { readonly kind: "unread"; readonly why: string };

const pageSize = 500;

function nameError(error: unknown): string {
  return placeSystemError(error);
}

async function readPages(send: Send, path: string): Promise<ReadAll> {
  const items: ApiObject[] = [];
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=${pageSize}`;
  for (let token = ""; ;) {
    const next = token === "" ? first : `${first}&continue=${encodeURIComponent(token)}`;
    const answer = await send({ method: "GET", path: next, mostBytes: LIST_BYTES });
    if (answer.status === 404) return { kind: "absent" };
    if (answer.status !== 200) return { kind: "unread", why: readMessage(answer) };
    const page = checkPage(answer.body);
    for (const item of page.items) items.push(checkObject(item));
    if (page.token === "") return { kind: "read", items };
    // A page without objects but with a next page would loop for ever.
    if (page.items.length === 0) throw new ObjectUnreadable("a page without objects names a next one");
    token = page.token;
  }
}

/** Reads a collection page by page. A part of it is never answered as the whole. */
export async function readAll(send: Send, path: string): Promise<ReadAll> {
  try {
    return await readPages(send, path);
  } catch (error) {
    return { kind: "unread", why: nameError(error) };
  }
}
