import type { Token } from "#libs/runtime";

import type { Terminal } from "../terminal/terminal.ts";
import { openApp } from "./app-login.ts";

/** How git logs in at an address; absent: by its own means, as by an SSH key. */
interface GitLogin {
  readonly credentials?: { readonly token: Token };
}

/** A token that lasts goes before the App, as for the services; the App's is for its own repository alone. */
export async function chooseGitLogin(url: string, terminal: Terminal): Promise<GitLogin> {
  const lasting = terminal.env["MESHROLL_GIT_TOKEN"] ?? "";
  if (lasting !== "") return { credentials: { token: lasting } };
  const app = await openApp(terminal);
  if (app?.reaches(url) !== true) return {};
  terminal.explain?.(() => `logs in to git as GitHub App ${app.id}`);
  return { credentials: { token: app.tokens } };
}
