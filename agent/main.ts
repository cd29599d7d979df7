import { readFileSync, realpathSync } from "node:fs";
import { parseArgs } from "node:util";

import { findOffer, openStore } from "#libs/artifact";
import { ConfigProblems, createLogger, type Logger, readConfig, runService, systemClock } from "#libs/runtime";

import type { ApiLink } from "./api/api-link.ts";
import { openApi } from "./open-api.ts";
import { type AgentConfig, agentConfig } from "./config.ts";
import { openDisk } from "./disk/real-disk.ts";
import { AlreadyRuns, holdLock } from "./lock/hold-lock.ts";
import { takesConnections } from "./proxy/control-plane.ts";
import { openProxies } from "./proxy/real-proxies.ts";
import { openRules } from "./proxy/rules.ts";
import { createFileReporter } from "./report/file-reporter.ts";
import type { Reporter } from "./report/report.ts";
import { makePlaces } from "./slots/places.ts";
import { createAgent } from "./turn/agent.ts";
import { NoRoot } from "./turn/look-up.ts";
import type { Parts } from "./turn/parts.ts";

const log = createLogger("agent");

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The folder that acts as `/`, without links, because links would give one root two names. */
function readRoot(): string {
  const { values } = parseArgs({ options: { root: { type: "string", default: "/" } } });
  try {
    return realpathSync(values.root);
  } catch {
    throw new ConfigProblems([{ name: "--root", message: `${values.root} is not a folder` }]);
  }
}

function openConfiguredStore(address: string) {
  try {
    return openStore(address);
  } catch (error) {
    throw new ConfigProblems([{ name: "MESHROLL_AGENT_STORE", message: (error as Error).message }]);
  }
}

/** Real ms for which the store may delay one turn. */
const storeMs = 60_000;

function readSettings(config: AgentConfig): Parts["settings"] {
  return {
    version: readVersion(),
    platform: `${process.platform}-${process.arch}`,
    pollMs: config.MESHROLL_AGENT_POLL_SECONDS * 1000,
    storeMs,
    readyWithinMs: config.MESHROLL_AGENT_READY_SECONDS * 1000,
    settleMs: config.MESHROLL_AGENT_SETTLE_SECONDS * 1000,
    probationMs: config.MESHROLL_AGENT_PROBATION_SECONDS * 1000,
  };
}

/** Logs a report whose message changed, and tells it to all. */
function tellAll(reporters: readonly Reporter[], to: Logger): Reporter {
  let last = "";
  return {
    async tell(report) {
      const { message, reason, revision, tag, ready } = report;
      if (message !== last) to.info({ code: reason.code, revision, tag, ready }, message);
      last = message;
      for (const each of reporters) await each.tell(report);
    },
  };
}

interface Opened {
  readonly parts: Parts;
  readonly link: ApiLink | undefined;
}

function openParts(config: AgentConfig, root: string, signal: AbortSignal): Opened {
  const places = makePlaces(root);
  const disk = openDisk();
  const clock = systemClock();
  const store = openConfiguredStore(config.MESHROLL_AGENT_STORE);
  const onFault = (error: unknown): void => log.warn({ error }, "the report cannot be written");
  const { tag, link } = openApi(config, { disk, places, clock, log, random: Math.random }, signal);
  const reporters = [createFileReporter(disk, places.report, onFault), ...(link === undefined ? [] : [link])];
  const parts = {
    disk,
    places,
    store,
    findOffer: async (...[before, wanted, limit]: Parameters<Parts["findOffer"]>) =>
      findOffer(store, before, wanted, limit),
    tag,
    proxies: openProxies({
      root,
      readyUrl: config.MESHROLL_AGENT_READY_URL,
      baseId: config.MESHROLL_AGENT_BASE_ID,
      drainMs: config.MESHROLL_AGENT_DRAIN_SECONDS * 1000,
    }),
    rules: openRules(root),
    answers: takesConnections,
    reporter: tellAll(reporters, log),
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: Math.random,
    boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    settings: readSettings(config),
    warn: (fact: object, message: string) => log.warn(fact, message),
  };
  return { parts, link };
}

await runService(log, async (signal, closers) => {
  const root = readRoot();
  const { parts, link } = openParts(readConfig(agentConfig, process.env), root, signal);
  try {
    closers.add("lock", await holdLock(root));
    const agent = createAgent(parts);
    log.info({ root, version: parts.settings.version }, "the agent runs");
    // It runs next to the turns, which never wait for it.
    void link?.run(signal);
    const clock = systemClock();
    while (!signal.aborted) {
      const { waitMs } = await agent.turn(signal);
      link?.beat();
      if (waitMs > 0) await clock.sleepReal(waitMs, signal);
    }
  } catch (error) {
    // A sentence, for the person who started it.
    if (error instanceof AlreadyRuns || error instanceof NoRoot)
      throw new ConfigProblems([{ name: "agent", message: error.message }]);
    throw error;
  }
});
