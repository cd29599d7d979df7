import type { PullRequest } from "#libs/scm";
import type { RolloutsRepository } from "#libs/git";
import type { Command } from "commander";

import { readWho } from "../terminal/caller.ts";
import { chooseScm, withScm } from "../logins/choose-scm.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { readAuthor } from "../files/git-author.ts";
import { addOutputOption } from "../options/output-option.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { Refusal } from "../terminal/refusal.ts";
import { diffText } from "../text/text-diff.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { wrapSentences } from "../text/wrap-text.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Options of commands that change main by a pull request. */
export interface ChangeOptions extends RepositoryOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly output: "human" | "json";
}

/** `--repo`, `--dry-run`, `-y` and `-o`. */
export function addChangeOptions(command: Command): Command {
  return addOutputOption(addRepositoryOption(command), ["human", "json"])
    .option("--dry-run", "show what would be proposed, and change nothing")
    .option("-y, --yes", "do not ask for confirmation");
}

/** The last line of a pull request's text: who typed the command. Only GitHub proves a name. */
export function signBody(text: string, command: string, terminal: Pick<Terminal, "env">): string {
  return `${text}\n\nby ${readWho(terminal)} (unverified), with meshroll ${command}`;
}

/** Files of main with their new content, and the pull request about them. */
export interface Change {
  /** `Start`, `Pin`, …: the kind of the report. */
  readonly kind: string;
  /** Never below `meshroll/`, which is the planner's. */
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  /** Path -> content; null deletes. */
  readonly files: Readonly<Record<string, string | null>>;
  /** What happens after the merge, and further hints. */
  readonly after: readonly Sentence[];
  /** More fields for machines. */
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Opened {
  readonly repository: RolloutsRepository;
  readonly url: string;
  /** Head of the protected branch. */
  readonly main: string;
}

async function isWritten(repository: RolloutsRepository, commit: string, files: Change["files"]): Promise<boolean> {
  for (const [path, content] of Object.entries(files)) {
    if ((await repository.read(commit, path)) !== (content ?? undefined)) return false;
  }
  return true;
}

/** Commits on top of the branch and of main, so that no commit is lost and a repeated call changes nothing. */
async function push({ repository, main }: Opened, change: Change, terminal: Terminal): Promise<string> {
  const { branch, files, title, body } = change;
  const head = await repository.resolve(branch);
  const isCurrent = head !== undefined && (await repository.contains(head, main));
  if (head !== undefined && isCurrent && (await isWritten(repository, head, files))) return head;
  const place = head === undefined ? { startAt: main } : { onto: head, ...(isCurrent ? {} : { merging: main }) };
  const author = await readAuthor(terminal);
  const pushed = await repository.commitAndPush({ branch, ...place, files, message: `${title}\n\n${body}\n`, author });
  if (pushed.kind === "pushed") return pushed.sha;
  throw new Refusal(exitCodes.tryLater, `${branch} was just updated by another push: ${pushed.why}`, "run it again");
}

async function openPullRequest({ branch, title, body }: Change, terminal: Terminal): Promise<PullRequest | undefined> {
  const options = await chooseScm(terminal);
  if (options === undefined) return undefined;
  const base = terminal.env["MESHROLL_BRANCH"] ?? "main";
  return withScm(options, async (scm) => scm.openPullRequest({ branch, base, title, body }));
}

/** The web page for opening a pull request from a branch, where it is known. */
function findComparePage(url: string, base: string, branch: string): string | undefined {
  const form = /^(?:(https?):\/\/|ssh:\/\/git@|git@)([^/:]+(?::\d+)?)[/:](.+?)(?:\.git)?$/u;
  const [, scheme = "https", host, path] = form.exec(url) ?? [];
  return host === undefined ? undefined : `${scheme}://${host}/${path}/compare/${base}...${branch}?expand=1`;
}

function describeNext(
  url: string,
  { branch }: Change,
  pull: PullRequest | undefined,
  terminal: Terminal,
): readonly Sentence[] {
  const undo: Sentence = ["  undo it:  ", { command: `git push ${url} --delete ${branch}` }];
  if (pull !== undefined)
    return [`✔ pull request #${pull.number}   ${pull.url}`, "  merge it:  it counts from then on", undo];
  const base = terminal.env["MESHROLL_BRANCH"] ?? "main";
  const page = findComparePage(url, base, branch);
  const open =
    page === undefined ? [`  merge ${branch} into ${base} there`] : ["  open the pull request:", `  ${page}`];
  return [
    ...open,
    "  MESHROLL_GITHUB_REPOSITORY and MESHROLL_GITHUB_TOKEN, or a GitHub App's variables, open it from here",
    undo,
  ];
}

async function listDiff({ repository, main }: Opened, files: Change["files"]): Promise<readonly string[]> {
  const parts = await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      const before = await repository.read(main, path);
      if (before === undefined) return [`+ ${path}  (${(content ?? "").trimEnd().split("\n").length} lines)`];
      if (content === null) return [`- ${path}`];
      return [path, ...diffText(before, content).map((line) => `  ${line}`)];
    }),
  );
  return parts.flat();
}

async function report(
  change: Change,
  options: ChangeOptions,
  terminal: Terminal,
  done: Readonly<Record<string, unknown>>,
  lines: readonly Sentence[],
): Promise<void> {
  const { kind, branch, title, files, facts } = change;
  const named = { apiVersion: "meshroll.dev/v1", kind, ...facts, branch, title, files: Object.keys(files), ...done };
  const told = wrapSentences(lines, terminal).join("\n");
  await write(terminal.stdout, `${options.output === "json" ? JSON.stringify(named, undefined, 2) : told}\n`);
}

/** Proposes the change: pushes a branch with the caller's git rights, and opens a pull request where an SCM is configured. */
export async function proposeChange(
  opened: Opened,
  change: Change,
  options: ChangeOptions,
  terminal: Terminal,
): Promise<void> {
  if (await isWritten(opened.repository, opened.main, change.files)) {
    const lines = [`nothing to do: main says so already (${opened.main.slice(0, 12)})`];
    return report(change, options, terminal, { changed: false }, lines);
  }
  const diff = await listDiff(opened, change.files);
  if (options.dryRun === true) {
    const lines = [
      ...diff,
      `would push ${change.branch}: ${change.title}`,
      ...change.after,
      "  nothing was pushed: this is a dry run",
    ];
    return report(change, options, terminal, { changed: false, dryRun: true }, lines);
  }
  const head = await push(opened, change, terminal);
  const pull = await openPullRequest(change, terminal);
  const shown = pull === undefined ? {} : { pullRequest: { number: pull.number, url: pull.url } };
  const lines = [
    ...diff,
    `✔ pushed ${change.branch}   ${head.slice(0, 12)} "${change.title}"`,
    ...describeNext(opened.url, change, pull, terminal),
    ...change.after,
  ];
  return report(change, options, terminal, { changed: true, head, ...shown }, lines);
}
