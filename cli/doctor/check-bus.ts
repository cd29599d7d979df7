import { printAge } from "../print-time.ts";
import { isCurrent, readPublished } from "../read-published.ts";
import { listClustersOnBus } from "../read-clusters.ts";
import type { Terminal } from "../terminal.ts";
import { findNatsUrl, withBus } from "../with-bus.ts";
import { attempt, type CheckResult, fail, pass, skip } from "./check.ts";

const answers = { code: "MR9020", area: "nats" } as const;
const buckets = { code: "MR9021", area: "nats" } as const;
const planner = { code: "MR9022", area: "nats" } as const;
const executors = { code: "MR9023", area: "nats" } as const;

async function checkBuckets(url: string): Promise<readonly CheckResult[]> {
  return withBus(url, async (bus) => {
    await bus.bucket("control").get("state");
    const status = await readPublished(bus);
    const clusters = await listClustersOnBus(bus);
    const age = printAge(Date.now() - (status?.wroteAt ?? 0));
    const stale = [...clusters.values()]
      .filter(({ seenAt }) => Date.now() - seenAt > 60_000)
      .map(({ cluster }) => cluster);
    const fresh = pass(executors, `${clusters.size} clusters are seen: ${[...clusters.keys()].toSorted().join(", ")}`);
    const silent = fail(
      executors,
      `not seen for a minute: ${stale.join(", ")}`,
      "is their executor running?  npx meshroll status",
    );
    return [
      pass(buckets, "JetStream: the buckets control, status and inventory can be read"),
      status === undefined
        ? fail(
            planner,
            "no planner has ever written a status here",
            "start the planner: docs/how-to/run-against-your-cluster.md",
          )
        : isCurrent(status)
          ? pass(planner, `a planner wrote its status ${age} ago`)
          : fail(planner, `the planner wrote its last status ${age} ago`, "look at its log"),
      clusters.size === 0
        ? fail(executors, "no executor has published a cluster", "start one: docs/how-to/run-against-your-cluster.md")
        : stale.length === 0
          ? fresh
          : silent,
    ];
  });
}

/** NATS answers with JetStream, and planner and executors are heard on it. */
export async function checkBus(
  options: { readonly nats?: string },
  terminal: Terminal,
): Promise<readonly CheckResult[]> {
  const url = findNatsUrl(options, terminal);
  if (url === undefined)
    return [skip(answers, "nobody said where NATS is", "give --nats URL or set MESHROLL_NATS_URL")];
  const first = await attempt(
    answers,
    async () => {
      const { probeBus } = await import("#libs/bus");
      const { version, hasJetStream } = await probeBus(url);
      if (hasJetStream) return pass(answers, `NATS ${version} answers, with JetStream`);
      return fail(answers, `NATS ${version} runs without JetStream`, "start it with: nats-server -js -sd DIR");
    },
    "is it running? is MESHROLL_NATS_URL right?",
  );
  if (first.some(({ state }) => state !== "ok")) return first;
  return [...first, ...(await attempt(buckets, async () => checkBuckets(url)))];
}
