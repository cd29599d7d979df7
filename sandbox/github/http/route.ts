import { HttpError } from "./http-error.ts";
import type { Hub } from "../state/hub.ts";
import type { GithubUser } from "../state/options.ts";

/** A request whose path was matched and whose body was read. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly user: GithubUser;
  /** Path and query, for links to other pages. */
  readonly target: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `operation` is GitHub's own name, such as `GET /repos/{owner}/{repo}`; its description in OpenAPI is found by that. */
export interface Route {
  readonly operation: string;
  readonly handle: (hub: Hub, request: RouteRequest) => Promise<Reply>;
}

/** A parameter of the path; the router sets all of them. */
export function readParam(request: RouteRequest, name: string): string {
  return request.params[name] ?? "";
}

/** A string of the body; undefined when absent. */
export function readText(request: RouteRequest, name: string): string | undefined {
  const value = request.body[name];
  return typeof value === "string" ? value : undefined;
}

export function requireText(request: RouteRequest, name: string, resource: string): string {
  const value = readText(request, name);
  if (value === undefined)
    throw new HttpError(422, "Validation Failed", [{ resource, field: name, code: "missing_field" }]);
  return value;
}

/** One page of a list, with GitHub's `Link` header. */
export function replyWithPage<T>(
  hub: Hub,
  request: RouteRequest,
  items: readonly T[],
  show: (items: readonly T[]) => unknown,
): Reply {
  const size = Math.min(Math.max(Number(request.query.get("per_page") ?? 30) || 30, 1), hub.pageSize);
  const page = Math.max(Number(request.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(items.length / size), 1);
  const body = show(items.slice((page - 1) * size, page * size));
  const link = (to: number, rel: string): string => {
    const url = new URL(request.target, hub.url());
    url.searchParams.set("page", String(to));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(1, "first"), link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
  ];
  return { status: 200, body, ...(links.length === 0 ? {} : { headers: { link: links.join(", ") } }) };
}
