import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const answers = { code: "MR9030", area: "redis" } as const;
const settings = { code: "MR9031", area: "redis" } as const;

/** Redis answers, is new enough, and does not evict keys. */
export async function checkQueue({ env }: Terminal): Promise<readonly CheckResult[]> {
  const url = env["MESHROLL_REDIS_URL"];
  if (url === undefined || url === "") return [skip(answers, "Redis is not configured", "set MESHROLL_REDIS_URL")];
  return attempt(answers, async () => {
    const { judgeServer, probeQueue } = await import("#libs/queue");
    const probe = await probeQueue(url);
    const { refusal, problems } = judgeServer(probe, "MESHROLL_REDIS_URL");
    const found = problems.map(({ message, help }) => fail(settings, message, ...(help === undefined ? [] : [help])));
    return [
      refusal === undefined
        ? pass(answers, `Redis ${probe.version} answers`)
        : fail(answers, refusal, "install a newer one"),
      ...(found.length > 0 ? found : [pass(settings, "Redis keeps an append-only file and throws nothing away")]),
    ];
  });
}
