import { printVmReport } from "#libs/events";
import { type Clock, createChangeSignal, type Logger } from "#libs/runtime";

import type { Report, Reporter } from "../report/report.ts";
import type { Answered, ApiClient } from "./api-client.ts";
import type { CredentialFile } from "./credential-file.ts";

/** Ms between two requests, also when much changes. */
const leastGapMs = 1000;
/** The longest wait after requests that were not answered, ms. */
const longestMs = 300_000;
/** After a refusal; a name in use may be free sooner. */
const refusedMs = 300_000;
const nameInUseMs = 120_000;
/** Ms for which a turn of the agent may last: after that its report is not said to be new. */
const turnMs = 90_000;
const firstPollMs = 30_000;

export interface LinkParts {
  readonly client: ApiClient;
  readonly credentials: CredentialFile;
  /** Where a join token is looked for, for people. */
  readonly joinTokenPath: string;
  /** The VM's name; undefined while it is not known. */
  readonly findName: () => Promise<string | undefined>;
  /** The VM's address now. */
  readonly findAddress: () => string;
  /** Takes the tag of each answer. */
  readonly hear: (tag: string | null) => Promise<void>;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/** Reports to the api, and hears the tag, next to the agent's turns: no turn waits for it. */
export interface ApiLink extends Reporter {
  /** A turn is over: the agent is alive. */
  beat(): void;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** A report without its time. */
function readContent(report: Report): string {
  return JSON.stringify({ ...report, at: "" });
}

/** How long to wait, and whether a change of the report is sent before. */
interface Wait {
  readonly ms: number;
  readonly untilChange: boolean;
}

export function createApiLink(parts: LinkParts): ApiLink {
  const { client, credentials, clock, log } = parts;
  const change = createChangeSignal(clock);
  let newest: Report | undefined;
  let sent = "";
  let beatAt = clock.monotonic();
  let [pollMs, silences, problem] = [firstPollMs, 0, ""];

  function nameProblem(why: string): void {
    if (why !== problem)
      log.warn({ why }, "the api does not take this VM's report: what runs stays, and it is tried again");
    problem = why;
  }

  const spread = (ms: number): number => ms * (0.5 + parts.random());

  function chooseWait(answer: Answered<unknown>): Wait {
    if (answer.kind === "answered") return { ms: spread(pollMs), untilChange: true };
    if (answer.kind === "silent")
      return { ms: spread(Math.min(longestMs, firstPollMs * 2 ** Math.min(silences - 1, 10))), untilChange: false };
    return { ms: spread(answer.status === 409 ? nameInUseMs : refusedMs), untilChange: false };
  }

  /** A report is as old as the agent's last turn; one whose agent hangs grows old. */
  function print(report: Report): string {
    const { version, tag, revision, attempted, inProgress, ready, reason, message } = report;
    const isAlive = clock.monotonic() - beatAt <= turnMs;
    const at = isAlive ? new Date(clock.now()).toISOString() : report.at;
    const address = parts.findAddress();
    const state = { tag, revision, attempted, inProgress, ready, code: reason.code, message };
    return printVmReport({ at, agent: version, address, ...state });
  }

  /** What cannot be written holds until a restart: a full disk must not keep the VM from saying so. */
  async function keep(written: Promise<void>): Promise<void> {
    await written.catch((error: unknown) => log.warn({ error }, "what the api answered cannot be written to the disk"));
  }

  async function register(name: string): Promise<Answered<string>> {
    const token = await credentials.readJoinToken();
    if (token === undefined)
      return { kind: "refused", status: 401, why: `there is no join token: put one into ${parts.joinTokenPath}` };
    const answer = await client.register(token, { name, address: parts.findAddress() });
    if (answer.kind !== "answered") return answer;
    const { credential } = answer.value;
    await keep(credentials.write(name, credential));
    return { kind: "answered", value: credential };
  }

  async function send(name: string, credential: string, report: Report): Promise<Answered<unknown>> {
    const answer = await client.report(credential, print(report));
    if (answer.kind !== "answered") return answer;
    const { tag, pollSeconds, credential: next } = answer.value;
    sent = readContent(report);
    pollMs = pollSeconds * 1000;
    if (next !== undefined) await keep(credentials.write(name, next));
    await keep(parts.hear(tag));
    return answer;
  }

  /** Without a credential, and with one that the api does not know, it registers first. */
  async function exchange(name: string, report: Report): Promise<Answered<unknown>> {
    const known = await credentials.read(name);
    const answer = known === undefined ? undefined : await send(name, known, report);
    if (answer !== undefined && (answer.kind !== "refused" || answer.status !== 401)) return answer;
    const registered = await register(name);
    return registered.kind === "answered" ? send(name, registered.value, report) : registered;
  }

  async function tryExchange(report: Report): Promise<Answered<unknown>> {
    try {
      const name = await parts.findName();
      if (name === undefined) return { kind: "silent", why: "this VM's name is not known yet" };
      return await exchange(name, report);
    } catch (error) {
      // Of the disk. The agent's turns go on, and say so themselves.
      return { kind: "silent", why: (error as Error).message };
    }
  }

  async function takeTurn(report: Report): Promise<Wait> {
    const answer = await tryExchange(report);
    silences = answer.kind === "silent" ? silences + 1 : 0;
    if (answer.kind !== "answered") nameProblem(answer.why);
    else if (problem !== "") {
      log.info({}, "the api takes this VM's report again");
      problem = "";
    }
    return chooseWait(answer);
  }

  async function pause({ ms, untilChange }: Wait, signal: AbortSignal): Promise<void> {
    const rest = Math.max(0, ms - leastGapMs);
    await clock.sleepReal(leastGapMs, signal);
    if (!untilChange) return clock.sleepReal(rest, signal);
    if (newest === undefined || readContent(newest) === sent) await change.wait(rest, signal);
  }

  return {
    async tell(report) {
      newest = report;
      if (readContent(report) !== sent) change.raise();
    },
    beat: () => void (beatAt = clock.monotonic()),
    async run(signal) {
      while (!signal.aborted) {
        if (newest === undefined) await change.wait(longestMs, signal);
        // The end of the process is no fault.
        else await pause(await takeTurn(newest), signal).catch(() => undefined);
      }
    },
  };
}
