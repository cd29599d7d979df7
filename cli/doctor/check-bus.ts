import { type BusPlace, describeInstallation } from "../read/find-installation.ts";
import { printAge } from "../text/print-time.ts";
import { isCurrent, readPublished } from "../read/read-published.ts";
import { listClustersOnBus } from "../read/bus/read-clusters.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type BusOptions, findAddress, findBus, withBus } from "../read/with-bus.ts";
import { attempt, type CheckResult, fail, pass, skip, warn } from "./check.ts";

const answers = { code: "MR9020", area: "nats" } as const;
const buckets = { code: "MR9021", area: "nats" } as const;
const planner = { code: "MR9022", area: "nats" } as const;
const installations = { code: "MR9024", area: "nats" } as const;
const executors = { code: "MR9023", area: "nats" } as const;

/** Other installations on the server are fine. A left-over one takes room, so all are listed. */
async function checkInstallations(place: BusPlace): Promise<readonly CheckResult[]> {
  const { listInstallations } = await import("#libs/bus");
  const { installation } = place;
  const found = await listInstallations(await findAddress(place));
  const now = Date.now();
  const own = found.filter(({ id }) => id === installation || (installation === undefined && found.length === 1));
  const others = found.filter((each) => !own.includes(each)).map((each) => describeInstallation(each, now));
  const [first] = own;
  if (first === undefined) {
    const wanted = installation === undefined ? "no installation was given" : `${installation} is none of them`;
    const none = found.length === 0 ? "no installation is on this NATS" : `${wanted}: ${others.join("; ")}`;
    return [
      fail(installations, none, "give --installation ID, as meshroll init --dry-run says it; is the planner running?"),
    ];
  }
  const seen = `installation ${describeInstallation(first, now)}`;
  if (others.length === 0) return [pass(installations, `${seen}, is the only one on this NATS`)];
  const fix = "if one is not in use any more: nats stream ls, nats stream rm of the four that end in its id";
  return [warn(installations, `${seen}; others on this NATS: ${others.join("; ")}`, fix)];
}

async function checkBuckets(place: BusPlace): Promise<readonly CheckResult[]> {
  return withBus(place, async (bus) => {
    await bus.bucket("control").get("state");
    const status = await readPublished(bus);
    const clusters = await listClustersOnBus(bus);
    const age = printAge(Date.now() - (status?.wroteAt ?? 0));
    const stale = [...clusters.values()]
      .filter(({ seenAt }) => Date.now() - seenAt > 60_000)
      .map(({ cluster }) => cluster);
    const fresh = pass(executors, `${clusters.size} clusters are seen: ${[...clusters.keys()].toSorted().join(", ")}`);
    const silent = fail(executors, `not seen for a minute: ${stale.join(", ")}`, [
      "is their executor running?  ",
      { command: "meshroll status" },
    ]);
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

/** NATS answers with JetStream, and planner and executors have written to it. */
export async function checkBus(options: BusOptions, terminal: Terminal): Promise<readonly CheckResult[]> {
  const place = findBus(options, terminal);
  if (place === undefined) return [skip(answers, "NATS is not configured", "give --nats URL or set MESHROLL_NATS_URL")];
  const first = await attempt(
    answers,
    async () => {
      const { probeBus } = await import("#libs/bus");
      const { version, hasJetStream } = await probeBus(await findAddress(place));
      if (hasJetStream) return pass(answers, `NATS ${version} answers, with JetStream`);
      return fail(answers, `NATS ${version} runs without JetStream`, "start it with: nats-server -js -sd DIR");
    },
    "is it running? is MESHROLL_NATS_URL right?",
  );
  if (first.some(({ state }) => state !== "ok")) return first;
  const named = await attempt(installations, async () => checkInstallations(place));
  if (named.some(({ state }) => state === "failed")) return [...first, ...named];
  return [...first, ...named, ...(await attempt(buckets, async () => checkBuckets(place)))];
}
