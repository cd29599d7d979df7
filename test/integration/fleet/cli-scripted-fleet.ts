import { type Bus, openBus } from "#libs/bus";
import {
  nameAnswerKey,
  nameClusterKey,
  printAnswer,
  printClusterFacts,
  readRequest,
  type VerbAnswer,
} from "#libs/events";
import { testInstallation } from "#libs/input";
import { type VerbRequest, describeFleet, type FleetStatus, evaluateFleet, type Snapshot } from "#libs/plan";

import { makeCluster, makeSnapshot } from "../../world/build.ts";

function describe(snapshot: Snapshot): FleetStatus {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("the snapshot has no file at its head");
  const { judged, views } = evaluateFleet(snapshot, head);
  return describeFleet(snapshot, head, judged, views, []);
}

/** How executors and planner answer a verb: which clusters have the stop, and what the planner says. */
export interface Script {
  /** Clusters that acknowledge. */
  readonly stopped?: readonly string[];
  /** Absent: there is no planner. */
  readonly answer?: (request: VerbRequest) => string | VerbAnswer;
}

/** Executors and a planner as the CLI sees them on a real bus. They follow a script, so that each case is exact. */
export class ScriptedFleet {
  readonly requests: VerbRequest[] = [];
  readonly #bus: Bus;
  readonly #end = new AbortController();
  #script: Script = {};
  readonly #obeying: Promise<void>[] = [];

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async open(url: string, installation: string = testInstallation): Promise<ScriptedFleet> {
    const fleet = new ScriptedFleet(await openBus({ installation, url, name: "meshroll-test" }));
    await fleet.#follow();
    return fleet;
  }

  async #follow(): Promise<void> {
    const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }): void => {
      const read = value === undefined ? undefined : readRequest(key, value);
      if (read?.ok === true) this.#obeying.push(this.#obey(read.request));
    };
    const watcher = { onEntry, onReady: () => undefined, onReset: () => undefined };
    await this.#bus.bucket("control").watch("request.*", watcher, this.#end.signal);
  }

  async #obey(request: VerbRequest): Promise<void> {
    this.requests.push(request);
    const script = this.#script;
    for (const name of script.stopped ?? []) await this.publishCluster(name, { [request.id]: "{}" });
    const answer = script.answer?.(request);
    if (answer === undefined) return;
    const text = printAnswer(typeof answer === "string" ? { text: answer, outcome: "done" } : answer);
    await this.#bus.bucket("status").put(nameAnswerKey(request.id), text);
    await this.#bus.bucket("control").delete(`request.${request.id}`);
  }

  play(script: Script): void {
    this.requests.length = 0;
    this.#script = script;
  }

  async publishCluster(
    name: string,
    recorded: Readonly<Record<string, string>> = {},
    mode: "act" | "observe" = "act",
    seenAt = Date.now(),
  ): Promise<void> {
    const change = { mode, seenAt, stops: { kubectl: false, recorded } };
    const { facts } = makeCluster(name, [], { facts: change });
    await this.#bus.bucket("inventory").put(nameClusterKey(name), printClusterFacts(facts));
  }

  /** Publishes the status of a snapshot in which the run of `makeSnapshot` is open. */
  async publishStatus(change: Parameters<typeof makeSnapshot>[0] = {}, more: Partial<FleetStatus> = {}): Promise<void> {
    const snapshot = makeSnapshot({ now: Date.now(), ...change });
    const status = describe(snapshot);
    await this.#bus.bucket("status").put("fleet", JSON.stringify({ ...status, wroteAt: Date.now(), ...more }));
  }

  async forgetStatus(): Promise<void> {
    await this.#bus.bucket("status").delete("fleet");
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#obeying);
    await this.#bus.close();
  }
}
