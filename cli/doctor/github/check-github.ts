import { openApp } from "../../logins/app-login.ts";
import { chooseScm } from "../../logins/choose-scm.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { LedgerProtection, Scm, ScmOptions, ScmProbe } from "#libs/scm";

import { judgeApp } from "./judge-app.ts";
import { judgeMerges } from "./judge-merges.ts";
import { judgeReviewRules } from "./judge-review-rules.ts";
import { attempt, type CheckResult, fail, pass, skip, warn } from "../check.ts";

const known = { code: "MR9010", area: "github" } as const;
const required = { code: "MR9011", area: "github" } as const;
const sources = { code: "MR9012", area: "github" } as const;

const ledger = { code: "MR9013", area: "github" } as const;

const checks: readonly string[] = ["meshroll/plan", "meshroll/approvals"];
const guide = "docs/how-to/require-checks.md";

function judgeChecks(branch: string, found: ScmProbe["requiredChecks"]): CheckResult {
  if (found === undefined)
    return skip(required, `this token may not read the rules of ${branch}`, `look at them by hand: ${guide}`);
  const missing = checks.filter((name) => !found.some((each) => each.name === name));
  if (missing.length === 0) return pass(required, `${branch} requires ${checks.join(" and ")}`);
  return fail(
    required,
    `${branch} does not require ${missing.join(" and ")}`,
    `require them in the branch's protection: ${guide}`,
  );
}

type ScmName = Scm["name"];

/**
 * Which accounts the branch takes the checks from: without a required app, any account or workflow that may write can post one
 * of that name.
 */
function judgeSources(branch: string, { requiredChecks, app }: ScmProbe, scm: ScmName): CheckResult {
  const fix = `see what it takes: ${guide}`;
  if (scm === "Gitea") {
    const message =
      "Gitea accepts a commit status from any account with write access: a writer or a workflow can post a green one";
    return warn(sources, message, "give write access only to accounts that may approve: docs/reference/scm.md");
  }
  if (app === undefined) {
    const message =
      "this is a personal token: GitHub cannot tell meshroll's checks from those of others, so a workflow or an account with " +
      "write access can post a green one; use a GitHub App's token, and require the checks from that app";
    return warn(sources, message, fix);
  }
  if (requiredChecks === undefined) return skip(sources, `this token may not read the rules of ${branch}`, fix);
  const open = checks.filter((name) => !requiredChecks.some((each) => each.name === name && each.source === app));
  if (open.length === 0) return pass(sources, `${branch} accepts both checks from meshroll's app only`);
  const message = `${branch} takes ${open.join(" and ")} from any source: a workflow, or an account with write access, can post it green`;
  return fail(sources, message, `choose meshroll's app (id ${app}) as the expected source: ${guide}`);
}

/**
 * Whether others than meshroll can push to the ledger's branch: they could record that a run is done, or end a pause, so
 * without these rules the planner decides nothing.
 */
/** The ledger's commits are git's: one for each batch, and three requests for each would use up GitHub's limit. */
function judgeLedgerSignatures({ ledgerRules = [] }: Pick<ScmProbe, "ledgerRules">): readonly CheckResult[] {
  if (!ledgerRules.includes("required_signatures")) return [];
  const message = "meshroll/ledger requires signed commits, and the planner's are signed only where its git has a key";
  return [
    warn(ledger, message, "let git sign, or leave that branch out of the ruleset: docs/how-to/protect-the-ledger.md"),
  ];
}

function judgeLedger(protection: LedgerProtection, scm: ScmName): CheckResult {
  const how = "docs/how-to/protect-the-ledger.md";
  switch (protection.kind) {
    case "untold": {
      const message = `${scm} has no rules for meshroll/ledger, or shows none to this token: the planner decides nothing`;
      return fail(ledger, message, `make the rules where this token can read them: ${how}`);
    }
    case "unread": {
      const message =
        `the rules of meshroll/ledger that this token may read allow ${protection.allows.join(", ")}, and only ` +
        "administrators of the repository can read the others: the planner decides nothing";
      return fail(ledger, message, `make the rules where this token can read them: ${how}`);
    }
    case "open": {
      const message = `meshroll/ledger allows ${protection.allows.join(", ")}: the planner decides nothing`;
      return fail(ledger, message, `make the rules for that branch: ${how}`);
    }
    case "protected": {
      const message =
        "meshroll/ledger refuses forced pushes and deletion, and takes pushes only from accounts that may bypass its rules";
      return pass(ledger, message);
    }
  }
}

interface Known {
  readonly scm: ScmName;
  readonly place: string;
  readonly mayWrite: boolean;
}

function judgeToken({ login, scopes }: ScmProbe, { scm, place, mayWrite }: Known): CheckResult {
  const who = login ?? "an app";
  const rights = scopes === undefined ? "" : ` (scopes ${scopes.join(", ")})`;
  if (mayWrite) return pass(known, `${scm}: the token is ${who}'s${rights} and may write to ${place}`);
  const message = `${scm}: the token is ${who}'s${rights} and may not write to ${place}`;
  const page = scm === "Gitea" ? "docs/how-to/run-on-gitea.md" : guide;
  return fail(known, message, `give it contents, pull requests and checks: ${page}`);
}

async function examine(options: ScmOptions, terminal: Terminal): Promise<readonly CheckResult[]> {
  const { judgeLedgerRules, probeScm } = await import("#libs/scm");
  const app = await openApp(terminal);
  const missing = await app?.findMissingRights();
  const branch = terminal.env["MESHROLL_BRANCH"] ?? "main";
  const probe = await probeScm(options, branch);
  const scm = options.kind === "gitea" ? "Gitea" : "GitHub";
  // For an App GitHub tells the installation's rights, not what an account may do in the repository.
  const mayWrite = missing === undefined ? probe.mayPush : !("contents" in missing);
  return [
    judgeToken(probe, { scm, place: `${options.owner}/${options.repo}`, mayWrite }),
    ...(app === undefined || missing === undefined ? [] : [judgeApp(app.id, missing)]),
    judgeChecks(branch, probe.requiredChecks),
    judgeSources(branch, probe, scm),
    judgeLedger(judgeLedgerRules(probe), scm),
    ...judgeLedgerSignatures(probe),
    ...(probe.merges === undefined ? [] : [judgeMerges(branch, probe.merges, app !== undefined)]),
    judgeReviewRules(branch, probe, scm),
  ];
}

/** The token is known and may write; the protected branch asks for both checks. */
export async function checkGithub(terminal: Terminal): Promise<readonly CheckResult[]> {
  return attempt(known, async () => {
    const options = await chooseScm(terminal);
    if (options !== undefined) return examine(options, terminal);
    const fix = "set MESHROLL_GITHUB_REPOSITORY, and MESHROLL_GITHUB_TOKEN or the variables of a GitHub App";
    return [
      skip(known, "no GitHub repository is configured", fix),
      skip(required, "needs GitHub", fix),
      skip(sources, "needs GitHub", fix),
      skip(ledger, "needs GitHub", fix),
    ];
  });
}
