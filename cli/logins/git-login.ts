import { explainKeptToken } from "#libs/input";
import type { Token } from "#libs/runtime";

import type { Terminal } from "../terminal/terminal.ts";
import { openApp } from "./app-login.ts";

/** How git logs in at an address; absent: by its own means, such as an SSH key. */
interface GitLogin {
  readonly credentials?: { readonly token: Token };
}

/** Warns where the token is not sent: git then logs in otherwise, and a later failure would not mention the token. */
function mayReach(url: string, { env, warn }: Terminal): boolean {
  const parsed = URL.parse(url);
  // A path, or SSH: git needs no token.
  if (parsed?.protocol.startsWith("http") !== true) return false;
  const [host, repository] = [env["MESHROLL_GIT_TOKEN_HOST"], env["MESHROLL_REPO_URL"]];
  const kept = explainKeptToken(parsed, { host: host === "" ? undefined : host, repository });
  if (kept !== undefined) warn?.(`MESHROLL_GIT_TOKEN ${kept}`);
  return kept === undefined;
}

/**
 * A configured token is used before the App's, as in the services; the App's is for its own repository only. Neither is sent to
 * a checkout's origin, which others may have written.
 */
export async function chooseGitLogin(url: string, terminal: Terminal): Promise<GitLogin> {
  const lasting = terminal.env["MESHROLL_GIT_TOKEN"] ?? "";
  if (lasting !== "" && mayReach(url, terminal)) return { credentials: { token: lasting } };
  const app = await openApp(terminal);
  if (app?.reaches(url) !== true) return {};
  terminal.explain?.(() => `logs in to git as GitHub App ${app.id}`);
  return { credentials: { token: app.tokens } };
}
