import type { Terminal } from "../terminal/terminal.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const answers = { code: "MR9050", area: "prom" } as const;
const fix = "is MESHROLL_PROMETHEUS_URL right, and MESHROLL_PROMETHEUS_TOKEN valid?";

/** Prometheus answers the simplest query. */
export async function checkPrometheus({ env }: Terminal): Promise<readonly CheckResult[]> {
  const url = env["MESHROLL_PROMETHEUS_URL"] ?? "";
  if (url === "") return [skip(answers, "Prometheus is not configured", "set MESHROLL_PROMETHEUS_URL")];
  return attempt(
    answers,
    async () => {
      const { openPrometheus } = await import("#libs/prometheus");
      const token = env["MESHROLL_PROMETHEUS_TOKEN"] ?? "";
      const prometheus = openPrometheus({ url, ...(token === "" ? {} : { token }) });
      const answer = await prometheus.query("vector(1)", Date.now());
      // "No data" is an answer too: it shows that the API is spoken.
      if (answer.kind === "value" || answer.kind === "noData") return pass(answers, "Prometheus answers queries");
      return fail(answers, `Prometheus does not answer: ${answer.why}`, fix);
    },
    fix,
  );
}
