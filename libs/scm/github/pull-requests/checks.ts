import { z } from "zod";

import { isHidden } from "../../http/classify.ts";
import type { Check, Scm, PostedCheck } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { createUnseenWrites } from "../calls/unseen-writes.ts";
import { once, type Wire } from "../calls/wire.ts";
import { type Page, readPages } from "./read-pages.ts";

const names = ["meshroll/plan", "meshroll/approvals"] as const;

/** Marks our check runs; another app's may carry it too. */
const externalId = "meshroll";

/** GitHub's limit for the line of a commit status. */
const statusLength = 140;

const made = z.object({ id: z.int() });
const runs = z.object({ check_runs: z.unknown() });
const checkRuns = z.array(
  z.object({
    id: z.int(),
    name: z.string(),
    external_id: z.string().nullish(),
    details_url: z.string().nullish(),
    status: z.string(),
    conclusion: z.string().nullish(),
    output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }),
    app: z.object({ slug: z.string().optional() }).nullish(),
  }),
);

/** Newest first. */
const statuses = z.array(
  z.object({
    context: z.string(),
    state: z.string(),
    description: z.string().nullish(),
    target_url: z.string().nullish(),
    creator: z.object({ login: z.string() }).nullish(),
  }),
);

/** A check run as it was created. */
interface MadeRun {
  readonly id: number;
  readonly check: Check;
}

interface PostedRun {
  readonly check: Check;
  readonly by: string;
  readonly own: boolean;
  /** Of a check run; a commit status cannot be changed, only followed by a newer one. */
  readonly id?: number;
}

function toState(done: boolean, word: string | null | undefined): Check["state"] {
  if (!done || word === "pending") return "pending";
  if (word === "neutral" || word === "skipped") return "neutral";
  return word === "success" ? "success" : "failure";
}

/** The link of a check; absent where GitHub has none. */
function readAddress(url: string | null | undefined): Pick<Check, "detailsUrl"> {
  return url === null || url === undefined || url === "" ? {} : { detailsUrl: url };
}

/** The link is not compared: a changed link alone is not worth a write. */
function isSame(a: Check, b: Check): boolean {
  return a.state === b.state && a.title === b.title && a.summary === b.summary;
}

function shorten(title: string): string {
  return title.length <= statusLength ? title : `${title.slice(0, statusLength - 1)}…`;
}

/** The newest of each of our names. */
function listNewest(found: readonly PostedRun[]): readonly PostedRun[] {
  return names.flatMap((name) => found.find(({ check }) => check.name === name) ?? []);
}

function toName(text: string): Check["name"] | undefined {
  return names.find((name) => name === text);
}

/**
 * Our checks on commits: check runs, with the whole table, where the token may write them (a GitHub App's); else commit
 * statuses, one line each. Branch protection counts both by name, no matter who posted them.
 */
export function createChecks(
  { octokit, call, here }: Wire,
  askLogin: () => Promise<string | undefined>,
): Pick<Scm, "postCheck" | "findChecks"> {
  let kind: "unknown" | "run" | "status" = "unknown";
  const unseen = createUnseenWrites<MadeRun>();

  /** Our runs that the list lacks: it may be from before they were created. */
  function listUnseen(sha: string, listed: readonly PostedRun[], login = ""): readonly PostedRun[] {
    return names.flatMap((name) => {
      const same = listed.filter(({ check }) => check.name === name);
      const own = unseen.find(`${sha} ${name}`, ({ id }) => same.some((each) => (each.id ?? 0) >= id));
      return own === undefined ? [] : [{ ...own, by: login, own: true }];
    });
  }

  /** Newest first. */
  async function readRuns(sha: string, doing: string): Promise<readonly PostedRun[]> {
    const query = { ...here, ref: sha, filter: "latest" } as const;
    const list = async (page: Page) => octokit.rest.checks.listForRef({ ...query, ...page });
    const found = await readPages(doing, list, (data) => parseAnswer(runs, data, doing).check_runs);
    const login = await askLogin();
    // The greatest id is the newest; an older one, of a request whose answer was lost, no longer counts.
    const listed = parseAnswer(checkRuns, found, doing)
      .toSorted((a, b) => b.id - a.id)
      .flatMap(({ id, name: text, external_id: mark, details_url: url, status, conclusion, output, app }) => {
        const name = toName(text);
        if (name === undefined) return [];
        const state = toState(status === "completed", conclusion);
        const words = { title: output.title ?? "", summary: output.summary ?? "" };
        const check = { name, headSha: sha, state, ...words, ...readAddress(url) };
        const isMarked = mark === externalId;
        const slug = app?.slug ?? "";
        const isOurApp = login === undefined || login === slug || login === `${slug}[bot]`;
        return [{ id, check, own: isMarked && isOurApp, by: slug === "" ? "an app" : `${slug}[bot]` }];
      });
    return [...listUnseen(sha, listed, login), ...listed];
  }

  /** Newest first. */
  async function readStatuses(sha: string, doing: string): Promise<readonly PostedRun[]> {
    const query = { ...here, ref: sha };
    const list = async (page: Page) => octokit.rest.repos.listCommitStatusesForRef({ ...query, ...page });
    const found = await readPages(doing, list);
    const login = await askLogin();
    return parseAnswer(statuses, found, doing).flatMap(
      ({ context, state: word, description, target_url: url, creator }) => {
        const name = toName(context);
        if (name === undefined) return [];
        const by = creator?.login ?? "ghost";
        const words = { title: description ?? "", summary: "" };
        const check = { name, headSha: sha, state: toState(true, word), ...words, ...readAddress(url) };
        return [{ check, by, own: login === undefined || login === by }];
      },
    );
  }

  /** None where this token may not read check runs. */
  async function readRunsIfAllowed(sha: string, doing: string): Promise<readonly PostedRun[]> {
    return readRuns(sha, doing).catch((error: unknown) => {
      if (isHidden(error)) return [];
      throw error;
    });
  }

  async function findChecks(sha: string, doing: string): Promise<readonly PostedCheck[]> {
    const show =
      (form: PostedCheck["form"]) =>
      ({ check, by, own }: PostedRun): PostedCheck => ({ ...check, by, own, form });
    const runs = listNewest(await readRunsIfAllowed(sha, doing)).map(show("run"));
    return [...runs, ...listNewest(await readStatuses(sha, doing)).map(show("status"))];
  }

  async function putRun(check: Check, doing: string): Promise<void> {
    const before = (await readRuns(check.headSha, doing)).find((entry) => entry.check.name === check.name);
    if (before?.own === true && isSame(before.check, check)) return;
    const { title, summary, name, headSha, detailsUrl } = check;
    const verdict =
      check.state === "pending" ? ({ status: "in_progress" } as const) : ({ conclusion: check.state } as const);
    const leadsTo = detailsUrl === undefined ? {} : { details_url: detailsUrl };
    const body = { ...here, ...verdict, ...leadsTo, external_id: externalId, output: { title, summary } };
    // If the newest run is another account's, changing an older one of ours would leave theirs the newest.
    const id = before?.own === true ? before.id : undefined;
    if (id === undefined) {
      const { data } = await octokit.rest.checks.create({ ...body, name, head_sha: headSha, ...once });
      unseen.note(`${headSha} ${name}`, { id: parseAnswer(made, data, doing).id, check });
    } else await octokit.rest.checks.update({ ...body, check_run_id: id });
  }

  async function putStatus(check: Check, doing: string): Promise<void> {
    // A status has no neutral state; what was not judged must not be green, so it is pending.
    const state = check.state === "neutral" ? "pending" : check.state;
    const line: Check = { ...check, state, title: shorten(check.title), summary: "" };
    const before = (await readStatuses(check.headSha, doing)).find((entry) => entry.check.name === check.name);
    if (before?.own === true && isSame(before.check, line)) return;
    const leadsTo = check.detailsUrl === undefined ? {} : { target_url: check.detailsUrl };
    const body = { ...here, ...leadsTo, sha: check.headSha, context: check.name, state, description: line.title };
    await octokit.rest.repos.createCommitStatus({ ...body, ...once });
  }

  /** Where a name has both a status and our check run, GitHub wants both green, so the status gets the same state. */
  async function followStatus(check: Check, doing: string): Promise<void> {
    const statuses = await readStatuses(check.headSha, doing);
    if (statuses.some((entry) => entry.check.name === check.name)) await putStatus(check, doing);
  }

  async function postCheck(check: Check, doing: string): Promise<void> {
    if (kind === "status") return putStatus(check, doing);
    try {
      await putRun(check, doing);
      kind = "run";
    } catch (error) {
      if (kind === "run" || !isHidden(error)) throw error;
      await putStatus(check, doing);
      // Set only after the status worked: a repository that this token cannot see refuses both, which says nothing about the
      // token's kind.
      kind = "status";
      return undefined;
    }
    return followStatus(check, doing);
  }

  const nameReading = (sha: string): string => `reading the checks of ${sha.slice(0, 12)}`;
  return {
    findChecks: async (sha) => call(nameReading(sha), async () => findChecks(sha, nameReading(sha))),
    postCheck: async (check) => {
      const doing = `posting ${check.name} on ${check.headSha.slice(0, 12)}`;
      await call(doing, async () => postCheck(check, doing));
    },
  };
}
