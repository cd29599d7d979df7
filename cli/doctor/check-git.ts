import type { CompiledSpec, Spec } from "#libs/plan";

import { chooseGitLogin } from "../logins/git-login.ts";
import { chooseFolder, chooseUrl, type RepositoryOptions, withRepository } from "../read/repository.ts";
import { compileTexts, fixSpec, printFirstError, readTexts } from "../read/read-spec.ts";
import type { Sentence } from "../terminal/sentence.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const fetched = { code: "MR9001", area: "git" } as const;
const parsed = { code: "MR9002", area: "git" } as const;
const remembered = { code: "MR9003", area: "git" } as const;
const pushed = { code: "MR9004", area: "git" } as const;

async function tryPush(options: RepositoryOptions, terminal: Terminal, commit: string): Promise<void> {
  const { probePush } = await import("#libs/git");
  const url = await chooseUrl(options, terminal);
  const login = await chooseGitLogin(url, terminal);
  await probePush({ url, folder: chooseFolder(url, terminal.env), ...login }, commit, "meshroll/ledger");
}

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** What waits because of it: everything, or the named campaigns. */
function describeFault(compiled: CompiledSpec): string {
  if (!compiled.ok) return "main does not parse";
  const names = compiled.spec.unread?.map(({ name }) => name) ?? [];
  return names.length === 0 ? "no campaign can be read" : `main holds campaign ${names.join(", ")}`;
}

function countParts({ rollouts, campaigns }: Spec): string {
  return `${count(rollouts.buckets.length, "bucket")}, ${count(campaigns.size, "unfinished campaign")}`;
}

/** With a ledger and without campaigns, the next step is the first campaign. */
function nameNext({ campaigns }: Spec, hasLedger: boolean): Sentence | undefined {
  if (campaigns.size > 0 || !hasLedger) return undefined;
  return [{ command: "meshroll start campaigns/NAME.yml --dry-run" }, "  shows what a campaign moves first"];
}

/** Main can be fetched and parsed; the ledger exists, and may be pushed to. */
export async function checkGit(options: RepositoryOptions, terminal: Terminal): Promise<readonly CheckResult[]> {
  return attempt(fetched, async () =>
    withRepository(options, terminal, async ({ repository, ledger, url }) => {
      const heads = await repository.fetch();
      const compiled = await compileTexts(heads.main, await readTexts(repository, heads.main));
      const first = printFirstError(compiled.findings);
      const counts = compiled.ok ? countParts(compiled.spec) : "";
      const { ledger: head } = heads;
      const next = compiled.ok ? nameNext(compiled.spec, head !== undefined) : undefined;
      const state =
        head === undefined
          ? []
          : await attempt(remembered, async () => {
              const { sequence } = await ledger.load(head);
              return pass(remembered, `the ledger can be read: ${count(sequence, "transition")}`);
            });
      return [
        pass(fetched, `main of ${url} can be fetched: ${heads.main.slice(0, 12)}`),
        first === undefined
          ? pass(parsed, `main parses: ${counts}`, next)
          : fail(parsed, `${describeFault(compiled)}: ${first}`, fixSpec(compiled.findings)),
        ...(head === undefined ? [skip(remembered, "there is no ledger yet", [{ command: "meshroll init" }])] : state),
        ...(await attempt(pushed, async () => {
          await tryPush(options, terminal, head ?? heads.main);
          return pass(pushed, "the ledger may be pushed to (tried without pushing)");
        })),
      ];
    }),
  );
}
