import type { IncomingMessage } from "node:http";

import type { GithubUser } from "../state/options.ts";

/** The token of `Authorization: token …`, `Bearer …` or `Basic x-access-token:…`. */
function readToken(request: IncomingMessage): string | undefined {
  const [scheme = "", value = ""] = (request.headers.authorization ?? "").split(" ");
  switch (scheme.toLowerCase()) {
    case "token":
    case "bearer":
      return value;
    case "basic": {
      const pair = Buffer.from(value, "base64").toString();
      return pair.slice(pair.indexOf(":") + 1);
    }
    default:
      return undefined;
  }
}

/** Who asks; undefined without a token or with an unknown one. */
export function authenticate(request: IncomingMessage, users: readonly GithubUser[]): GithubUser | undefined {
  const token = readToken(request);
  return token === undefined ? undefined : users.find((user) => user.token === token);
}
