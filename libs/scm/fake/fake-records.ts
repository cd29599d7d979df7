import { placeMarker } from "../port/place-marker.ts";
import type { Check, Deployment, Scm, NewComment } from "../port/port.ts";

type Answer = <T>(work: () => T) => Promise<T>;
type RecordCalls = Pick<Scm, "postCheck" | "findChecks" | "comments" | "putComment" | "showDeployment">;

type Said = Pick<NewComment, "author" | "body" | "bot"> & {
  /** The author is not listed as a member of the repository. */
  readonly stranger?: true;
};

/** Checks, comments and deployments in memory, shared by all users of a fake SCM. */
export interface FakeRecords {
  /** All comments of issues and pull requests; other parts of the fake read this array. */
  readonly comments: NewComment[];
  /** Adds a person's comment; answers its id. */
  say(number: number, comment: Said): number;
  /** Every write that changed something, in order: `check meshroll/plan failure`, `comment 7`, `deployment 1 success`. */
  readonly writes: string[];
  isGreen(sha: string, name: string): boolean;
  isFailed(sha: string, name: string): boolean;
  /** `requirePull` throws where no pull request has that number. */
  as(login: string, answer: Answer, requirePull: (number: number) => unknown): RecordCalls;
}

/** `clock`: epoch ms; without it every comment is a second newer than the one before. */
export function createFakeRecords(clock?: () => number): FakeRecords {
  const writes: string[] = [];
  /** By commit and name: the newest check, and who posted it. */
  const checks = new Map<string, { readonly check: Check; readonly by: string }>();
  const comments: NewComment[] = [];
  /** By commit and environment, in order of creation: state and description. */
  const deployments = new Map<string, string>();
  const now = clock ?? ((): number => 1_700_000_000_000 + comments.length * 1000);

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

  function showDeployment({ sha, environment, state, description }: Deployment): void {
    const key = `${sha} ${environment}`;
    const next = `${state} ${description}`;
    if (deployments.get(key) === next) return;
    deployments.set(key, next);
    writes.push(`deployment ${[...deployments.keys()].indexOf(key) + 1} ${state}`);
  }

  return {
    writes,
    comments,
    say,
    isGreen: (sha, name) => ["success", "neutral"].includes(checks.get(`${sha} ${name}`)?.check.state ?? ""),
    isFailed: (sha, name) => checks.get(`${sha} ${name}`)?.check.state === "failure",
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
      showDeployment: async (shown) => answer(() => showDeployment(shown)),
    }),
  };
}
