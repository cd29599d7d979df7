import { chooseForge } from "../choose-forge.ts";
import type { Terminal } from "../terminal.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const known = { code: "MR9010", area: "github" } as const;
const required = { code: "MR9011", area: "github" } as const;

const checks: readonly string[] = ["meshroll/plan", "meshroll/approvals"];
const guide = "docs/how-to/require-checks.md";

function judgeChecks(branch: string, names: readonly string[] | undefined): CheckResult {
  if (names === undefined)
    return skip(required, `this token may not read the rules of ${branch}`, `look at them by hand: ${guide}`);
  const missing = checks.filter((name) => !names.includes(name));
  if (missing.length === 0) return pass(required, `${branch} requires ${checks.join(" and ")}`);
  return fail(
    required,
    `${branch} does not require ${missing.join(" and ")}`,
    `require them in the branch's protection: ${guide}`,
  );
}

/** The token is known and may write; the protected branch asks for both checks. */
export async function checkGithub(terminal: Terminal): Promise<readonly CheckResult[]> {
  const options = await chooseForge(terminal);
  if (options === undefined) {
    const fix = "set MESHROLL_GITHUB_REPOSITORY and MESHROLL_GITHUB_TOKEN";
    return [skip(known, "nobody said which repository on GitHub", fix), skip(required, "needs GitHub", fix)];
  }
  return attempt(known, async () => {
    const { probeForge } = await import("#libs/github");
    const branch = terminal.env["MESHROLL_BRANCH"] ?? "main";
    const { login, mayPush, scopes, requiredChecks } = await probeForge(options, branch);
    const who = login ?? "an app";
    const rights = scopes === undefined ? "" : ` (scopes ${scopes.join(", ")})`;
    const place = `${options.owner}/${options.repo}`;
    return [
      mayPush
        ? pass(known, `GitHub: the token is ${who}'s${rights} and may write to ${place}`)
        : fail(
            known,
            `GitHub: the token is ${who}'s${rights} and may not write to ${place}`,
            `give it contents, pull requests and checks: ${guide}`,
          ),
      judgeChecks(branch, requiredChecks),
    ];
  });
}
