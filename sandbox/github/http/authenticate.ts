import type { IncomingMessage } from "node:http";

import type { Hub } from "../state/hub.ts";
import type { GithubUser } from "../state/options.ts";

/** The token of `Authorization: token …`, `Bearer …` or `Basic x-access-token:…`. */
export function readToken(request: IncomingMessage): string | undefined {
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

/** The user of a request; undefined without a token, or with one that is unknown or expired. */
export function authenticate(request: IncomingMessage, { users, app }: Hub): GithubUser | undefined {
  const token = readToken(request);
  if (token === undefined) return undefined;
  const issued = app?.find(token);
  if (app === undefined || issued === undefined) return users.find((user) => user.token === token);
  const bot = users.find(({ login }) => login === `${app.app.slug}[bot]`);
  return bot === undefined ? undefined : { ...bot, permissions: issued.permissions };
}
