import type { ApiResponse } from "../objects/messages.ts";
import { type ApiTarget, describeResource } from "../objects/api-path.ts";
import type { ModelObject, StringMap } from "../objects/objects.ts";
import { parseSelector, selects } from "../objects/selector.ts";
import { renderObject } from "../render/render.ts";
import { selectAll } from "../state/select-objects.ts";
import type { State } from "../state/state.ts";
import { answerExpired } from "../objects/status.ts";

/** A list that is read page by page: what it is made of was fixed at its first page. */
interface OpenList {
  readonly rv: number;
  readonly objects: readonly ModelObject[];
}

export interface Lists {
  list(target: ApiTarget, query: URLSearchParams): ApiResponse;
  /** Tokens handed out so far answer 410 from now on. */
  expire(): void;
}

/** Lists that are not read to the end are dropped when so many newer ones were begun. */
const MOST_OPEN = 64;

export function createLists(state: State): Lists {
  const open = new Map<string, OpenList>();
  let serial = 0;
  const begin = (target: ApiTarget, query: URLSearchParams) => {
    const id = String(++serial);
    const [oldest] = open.keys();
    if (open.size >= MOST_OPEN && oldest !== undefined) open.delete(oldest);
    return { id, offset: 0, list: { rv: state.rv, objects: narrow(selectAll(state, target), query) } };
  };
  const resume = (token: string) => {
    const [id = "", offset = "0"] = Buffer.from(token, "base64url").toString("utf8").split(":");
    const list = open.get(id);
    return list === undefined || list.rv < state.oldestRv ? undefined : { id, offset: Number(offset), list };
  };
  return {
    expire: () => open.clear(),
    list: (target, query) => {
      const limit = Number(query.get("limit") ?? 0);
      const token = query.get("continue");
      const page = token === null ? begin(target, query) : resume(token);
      if (page === undefined)
        return answerExpired("The provided continue parameter is too old to display a consistent list result.");
      const end = limit > 0 ? page.offset + limit : page.list.objects.length;
      const more = page.list.objects.length - end;
      if (more > 0) open.set(page.id, page.list);
      else open.delete(page.id);
      const next = Buffer.from(`${page.id}:${end}`).toString("base64url");
      const metadata = {
        resourceVersion: String(page.list.rv),
        ...(more > 0 ? { continue: next, remainingItemCount: more } : {}),
      };
      const [apiVersion, kind] = describeResource(target.resource);
      return {
        status: 200,
        body: {
          kind: `${kind}List`,
          apiVersion,
          metadata,
          items: renderPage(page.list.objects.slice(page.offset, end)),
        },
      };
    },
  };
}

/** The objects that `labelSelector` and `fieldSelector` (`metadata.name` only) select. */
function narrow(objects: readonly ModelObject[], query: URLSearchParams): readonly ModelObject[] {
  const labels = query.get("labelSelector");
  const name = query.get("fieldSelector")?.replace("metadata.name=", "");
  if (labels === null && name === undefined) return objects;
  const selector = parseSelector(labels ?? "");
  return objects.filter((object) => {
    const { metadata } = renderObject(object);
    return (name === undefined || metadata.name === name) && selects(selector, (metadata["labels"] ?? {}) as StringMap);
  });
}

/** Items of a list carry neither kind nor apiVersion: the API server leaves them out. */
function renderPage(objects: readonly ModelObject[]): object[] {
  return objects
    .filter((object) => !object.deleted)
    .map((object) => {
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = renderObject(object);
      return rest;
    });
}
