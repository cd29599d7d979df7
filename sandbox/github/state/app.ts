import { randomBytes } from "node:crypto";

/** In GitHub's names, such as `contents`. */
export type Permissions = Readonly<Record<string, "read" | "write">>;

/** A GitHub App that is installed for the repository. What is not `readonly` a test changes while the server runs. */
export interface GithubApp {
  readonly id: number;
  /** It writes as `<slug>[bot]`. */
  readonly slug: string;
  readonly installation: number;
  /** Public keys, PEM; two while one is being changed. */
  keys: readonly string[];
  /** What the installation was granted. */
  permissions: Permissions;
  /** How long a token lives; default an hour, as GitHub's. */
  tokenSeconds?: number;
  suspended?: boolean;
  /** True: the repository is not selected in the installation, or has another name today. */
  unselected?: boolean;
  /** Epoch ms by which web tokens and tokens are judged; default the machine's time. */
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
  /** Undefined: never issued, or its time is over. */
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
