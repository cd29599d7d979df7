import { readParam, type Route } from "../../http/route.ts";
import { apiUrl } from "../../shapes/repository.ts";

/** Refs by the beginning of their names. */
export const refRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    handle: async (hub, request) => {
      const start = `refs/${readParam(request, "ref")}`;
      const found = [...hub.branches()].flatMap(([branch, sha]) => {
        const ref = `refs/heads/${branch}`;
        if (!ref.startsWith(start)) return [];
        const object = { type: "commit", sha, url: apiUrl(hub, `/git/commits/${sha}`) };
        return [{ ref, node_id: `REF_${branch}`, url: apiUrl(hub, `/git/${ref}`), object }];
      });
      return { status: 200, body: found };
    },
  },
];
