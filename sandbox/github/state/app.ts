import { randomBytes } from "node:crypto";

/** By GitHub's names, such as `contents`. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

/**
 * A GitHub App that is installed for the repository. Tests may change the fields that are not `readonly` while the server runs.
 */
export interface GithubApp {
  readonly id: number;
  /** It writes as `<slug>[bot]`. */
  readonly slug: string;
  readonly installation: number;
  /** Public keys, PEM; two while the key is being replaced. */
  keys: readonly string[];
  /** The permissions that the installation was granted. */
  permissions: Permissions;
  /** Lifetime of a token; default an hour, as on GitHub. */
  tokenSeconds?: number;
  suspended?: boolean;
  /** True: the repository is not selected in the installation, or was renamed. */
  unselected?: boolean;
  /** Epoch ms, with which tokens are compared; default the machine's time. */
  clock?: () => number;
}

export interface IssuedToken {
  readonly token: string;
  readonly permissions: Permissions;
  expiresAt: number;
}

/** The App and the tokens of its installation. */
export interface AppState {
  readonly app: GithubApp;
  readonly issued: readonly IssuedToken[];
  now(): number;
  issue(permissions: Permissions): IssuedToken;
  /** Undefined for a token that was never issued or has expired. */
  find(token: string): IssuedToken | undefined;
}

export function createAppState(app: GithubApp): AppState {
  const issued: IssuedToken[] = [];
  const now = (): number => (app.clock ?? Date.now)();
  return {
    app,
    issued,
    now,
    issue(permissions) {
      const made = {
        token: `ghs_${randomBytes(27).toString("hex").slice(0, 36)}`,
        permissions,
        expiresAt: now() + (app.tokenSeconds ?? 3600) * 1000,
      };
      issued.push(made);
      return made;
    },
    find: (token) => issued.find((each) => each.token === token && now() < each.expiresAt),
  };
}
