import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, pass, skip } from "./check.ts";

const answers = { code: "MR9040", area: "slack" } as const;

/** The token is valid, and its bot can read the channel. */
export async function checkSlack({ env }: Terminal): Promise<readonly CheckResult[]> {
  const token = env["MESHROLL_SLACK_TOKEN"] ?? "";
  if (token === "")
    return [skip(answers, "Slack is not configured", "set MESHROLL_SLACK_TOKEN and MESHROLL_SLACK_CHANNEL")];
  return attempt(answers, async () => {
    const { probeSlack } = await import("#libs/chat");
    const [channel, apiUrl] = [env["MESHROLL_SLACK_CHANNEL"], env["MESHROLL_SLACK_API_URL"]];
    const where = { ...(channel === undefined ? {} : { channel }), ...(apiUrl === undefined ? {} : { apiUrl }) };
    const { team, user } = await probeSlack({ token, ...where });
    const reads = channel === undefined ? "" : `, and reads ${channel}`;
    return pass(answers, `Slack: the token is ${user}'s in ${team}${reads}`);
  });
}
