import type { GiteaServer } from "./start-gitea.ts";

export interface GiteaAnswer {
  readonly status: number;
  // eslint-disable-next-line typescript/no-explicit-any -- callers walk through foreign shapes; a wrong step fails them
  readonly body: any;
}

/** People with tokens on one Gitea, and its API with each token. */
export interface GiteaAccounts {
  readonly url: string;
  readonly version: string;
  tokenOf(login: string): string;
  /** Throws when the status is not 2xx. */
  ask(login: string, method: string, path: string, body?: unknown): Promise<GiteaAnswer>;
}

const everything = ["all"];

async function send(url: string, authorization: string, method: string, body: unknown): Promise<GiteaAnswer> {
  const headers = { authorization, "content-type": "application/json" };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

function writeBasic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
}

/** By this address Gitea finds the account of a commit. */
export function nameAddress(login: string): string {
  return `${login.replaceAll(" ", "-")}@example.org`;
}

/** Creates an account and a token for each person; the administrator `root` has both already. */
export async function openAccounts(server: GiteaServer, people: readonly string[]): Promise<GiteaAccounts> {
  const api = `${server.url}/api/v1`;
  const { login: root, password } = server.admin;
  const asRoot = writeBasic(root, password);
  const tokens = new Map<string, string>();

  async function makeToken(login: string): Promise<void> {
    const path = `${api}/users/${login}/tokens`;
    const { body } = await send(path, writeBasic(login, password), "POST", { name: "sandbox", scopes: everything });
    tokens.set(login, String(body.sha1));
  }

  await makeToken(root);
  for (const login of people) {
    const account = { username: login, email: nameAddress(login), password, must_change_password: false };
    await send(`${api}/admin/users`, asRoot, "POST", account);
    await makeToken(login);
  }
  const tokenOf = (login: string): string => {
    const token = tokens.get(login);
    if (token === undefined) throw new Error(`${login} has no token`);
    return token;
  };
  return {
    url: server.url,
    version: server.version,
    tokenOf,
    ask: async (login, method, path, body) => send(`${api}${path}`, `token ${tokenOf(login)}`, method, body),
  };
}
