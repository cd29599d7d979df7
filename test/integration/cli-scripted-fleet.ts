import { type Bus, openBus } from "#libs/bus";
import { nameAnswerKey, nameClusterKey, printAnswer, printClusterFacts, readAsk, type VerbAnswer } from "#libs/events";
import { testInstallation } from "#libs/input";
import { type Ask, describeFleet, type FleetStatus, surveyFleet, type World } from "#libs/plan";

import { makeCluster, makeWorld } from "../world/build.ts";

function describe(world: World): FleetStatus {
  const head = world.specs.get(world.main.head);
  if (head === undefined) throw new Error("the world has no file at its head");
  const { judged, views } = surveyFleet(world, head);
  return describeFleet(world, head, judged, views, []);
}

/** What the others on the bus do when a verb comes: which clusters have the stop, and what the planner answers. */
export interface Script {
  /** Clusters that acknowledge. */
  readonly stopped?: readonly string[];
  /** Absent: no planner is there. */
  readonly answer?: (ask: Ask) => string | VerbAnswer;
}

/** Executors and a planner as the CLI sees them on a real bus: they follow a script, so that each case is exact. */
export class ScriptedFleet {
  readonly asks: Ask[] = [];
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
      const read = value === undefined ? undefined : readAsk(key, value);
      if (read?.ok === true) this.#obeying.push(this.#obey(read.ask));
    };
    const watcher = { onEntry, onReady: () => undefined, onReset: () => undefined };
    await this.#bus.bucket("control").watch("ask.*", watcher, this.#end.signal);
  }

  async #obey(ask: Ask): Promise<void> {
    this.asks.push(ask);
    const script = this.#script;
    for (const name of script.stopped ?? []) await this.publishCluster(name, { [ask.id]: "{}" });
    const answer = script.answer?.(ask);
    if (answer === undefined) return;
    const text = printAnswer(typeof answer === "string" ? { text: answer, outcome: "done" } : answer);
    await this.#bus.bucket("status").put(nameAnswerKey(ask.id), text);
    await this.#bus.bucket("control").delete(`ask.${ask.id}`);
  }

  play(script: Script): void {
    this.asks.length = 0;
    this.#script = script;
  }

  async publishCluster(
    name: string,
    recorded: Readonly<Record<string, string>> = {},
    mode: "act" | "observe" = "act",
  ): Promise<void> {
    const change = { mode, seenAt: Date.now(), stops: { kubectl: false, recorded } };
    const { facts } = makeCluster(name, [], { facts: change });
    await this.#bus.bucket("inventory").put(nameClusterKey(name), printClusterFacts(facts));
  }

  /** The status of a world in which the run of `makeWorld` is open. */
  async publishStatus(change: Parameters<typeof makeWorld>[0] = {}, more: Partial<FleetStatus> = {}): Promise<void> {
    const world = makeWorld({ now: Date.now(), ...change });
    const status = describe(world);
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
