import type { Check, Deployment, DeploymentState, Scm, NewComment } from "../port/port.ts";

type Answer = <T>(work: () => T) => Promise<T>;
type RecordCalls = Pick<
  Scm,
  "postCheck" | "findChecks" | "comments" | "putComment" | "ensureDeployment" | "setDeploymentState"
>;

type Said = Pick<NewComment, "author" | "body" | "bot"> & {
  /** GitHub does not say that its author belongs to the repository. */
  readonly stranger?: true;
};

/** Checks, comments and deployments in memory, shared by all users of a fake SCM. */
export interface FakeRecords {
  /** Of all issues and pull requests; shared with other readers. */
  readonly comments: NewComment[];
  /** A person's comment; answers its id. */
  say(number: number, comment: Said): number;
  /** Every write that changed something, in order: `check meshroll/plan failure`, `comment 7`, `deployment 1 success`. */
  readonly writes: string[];
  isGreen(sha: string, name: string): boolean;
  /** `requirePull` throws where there is no pull request of that number. */
  as(login: string, answer: Answer, requirePull: (number: number) => unknown): RecordCalls;
}

interface FakeDeployment extends Deployment {
  state?: string;
}

/** The real adapter puts the marker first too. */
function placeMarker(marker: string, body: string): string {
  return body.startsWith(marker) ? body : `${marker}\n${body.replaceAll(marker, "").trim()}`;
}

/** `now`: epoch ms; without it every comment is a second younger than the one before. */
export function createFakeRecords(clock?: () => number): FakeRecords {
  const writes: string[] = [];
  /** By commit and name: what stands, and who posted it. */
  const checks = new Map<string, { readonly check: Check; readonly by: string }>();
  const comments: NewComment[] = [];
  const now = clock ?? ((): number => 1_700_000_000_000 + comments.length * 1000);
  const deployments: FakeDeployment[] = [];

  function listChecks(sha: string) {
    return [...checks.values()].filter(({ check }) => check.headSha === sha);
  }

  function postCheck(check: Check, by: string): void {
    const key = `${check.headSha} ${check.name}`;
    if (JSON.stringify(checks.get(key)) === JSON.stringify({ check, by })) return;
    checks.set(key, { check, by });
    writes.push(`check ${check.name} ${check.state}`);
  }

  function say(number: number, { stranger, ...comment }: Said): number {
    const at = now();
    const member = stranger === true ? {} : { isMember: true as const };
    comments.push({ ...comment, ...member, id: comments.length + 1, number, at, editedAt: at });
    return comments.length;
  }

  function putComment(author: string, number: number, marker: string, text: string): void {
    const body = placeMarker(marker, text);
    const at = comments.findIndex(
      (entry) => entry.number === number && entry.author === author && entry.body.startsWith(marker),
    );
    const before = comments[at];
    if (before?.body === body) return;
    writes.push(`comment ${number}`);
    if (before === undefined) say(number, { author, body });
    else comments[at] = { ...before, body, editedAt: Math.max(now(), before.at + 1) };
  }

  function ensureDeployment(draft: Omit<Deployment, "id">): Deployment {
    const { sha, environment } = draft;
    const known = deployments.find((entry) => entry.sha === sha && entry.environment === environment);
    const deployment = known ?? { id: deployments.length + 1, sha, environment };
    if (known === undefined) deployments.push(deployment);
    return { id: deployment.id, sha, environment };
  }

  function setState(id: number, state: DeploymentState, description: string): void {
    const deployment = deployments.find((entry) => entry.id === id);
    const next = `${state} ${description}`;
    if (deployment === undefined || deployment.state === next) return;
    deployment.state = next;
    writes.push(`deployment ${id} ${state}`);
  }

  return {
    writes,
    comments,
    say,
    isGreen: (sha, name) => ["success", "neutral"].includes(checks.get(`${sha} ${name}`)?.check.state ?? ""),
    as: (login, answer, requirePull) => ({
      postCheck: async (check) => answer(() => postCheck(check, login)),
      findChecks: async (sha) =>
        answer(() =>
          listChecks(sha).map(({ check, by }) => ({ ...check, by, own: by === login, form: "run" as const })),
        ),
      comments: async (number) =>
        answer(() => {
          requirePull(number);
          const found = comments.filter((entry) => entry.number === number);
          return found.map(({ id, author, body, at }) => {
            return { id, author, body, at, ...(author === login ? { ours: true as const } : {}) };
          });
        }),
      putComment: async (number, marker, body) =>
        answer(() => {
          requirePull(number);
          putComment(login, number, marker, body);
        }),
      ensureDeployment: async (draft) => answer(() => ensureDeployment(draft)),
      setDeploymentState: async (id, state, description) => answer(() => setState(id, state, description)),
    }),
  };
}
