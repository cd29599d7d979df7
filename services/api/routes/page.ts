import { type Answer, answerError, type Call, type Route } from "../http/answer.ts";
import type { ServerParts } from "./server-parts.ts";

/** Paths of views: one document, which reads its own path. */
const views = ["/", "/namespaces/{name}", "/runs/{id}", "/history"] as const;

function answerOff(call: Call): Answer {
  const message = "the page is switched off here by MESHROLL_API_PAGE=off: meshroll status says the same in a terminal";
  return answerError(call, 404, "PageOff", message);
}

/** The page for people, and its files. It reads all its data from `/v1/`. */
export function createPageRoutes({ page }: ServerParts): readonly Route[] {
  const answerView = (call: Call) => {
    if (page === "off") return answerOff(call);
    if (page !== undefined) return page.html(call);
    const message = "the page is not built here: in a checkout, run node scripts/page/build-page.mjs and start again";
    return answerError(call, 503, "PageNotBuilt", message);
  };
  return [
    ...views.map((path): Route => ({ method: "GET", path, handle: answerView })),
    {
      method: "GET",
      path: "/page/{file}",
      handle(call) {
        if (page === "off") return answerOff(call);
        const name = /\/page\/([^/?]+)/.exec(call.request.url ?? "")?.[1] ?? "";
        const asset = page?.assets.get(name);
        return asset === undefined ? answerError(call, 404, "NotFound", "the page has no such file") : asset(call);
      },
    },
  ];
}
