import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { testInstallation } from "#libs/input";

import { type BrokerKind, makeDataFolder } from "./programs/broker-kind.ts";
import { findProgram, type Finding } from "./programs/find-programs.ts";
import { findPassword, makeOwnLogins, type OwnLogin } from "./programs/own-logins.ts";
import { findFreePorts } from "./free-port.ts";
import { type OwnProcess, startProcess } from "./own-process.ts";
import { endStale, removePidFile, writePidFile } from "./programs/pid-file.ts";
import type { Program } from "./programs/program.ts";
import { probePort } from "./programs/probe-port.ts";

/** A Redis or NATS process that we start. Its port and its data survive a restart. */
export interface Broker {
  /** Logs in as the operator, who may do everything. */
  readonly url: string;
  /** The URL of a login with only the rights of its service; undefined when this kind of server has no such login. */
  findUrl(login: string): string | undefined;
  /** As `findUrl`, but throws when there is no such login. */
  urlOf(login: string): string;
  /** Undefined while the server is down. */
  pid(): number | undefined;
  /** Starts it again after `kill` or `stop`, on the same port; resolves when it answers. */
  start(): Promise<void>;
  /** Ends it by SIGTERM. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL, like a power cut. */
  kill(): Promise<void>;
  /** Deletes its data. Throws while the server runs. */
  wipe(): void;
}

export interface BrokerOptions extends Finding {
  /** Holds the data, the log and the pid file; created when absent. */
  readonly folder: string;
  /** Clusters that the login `executor` serves. Each also gets a login `executor-<cluster>`. */
  readonly clusters?: readonly string[];
  /** Installation that the logins may reach. Default: the one of tests. */
  readonly installation?: string;
  /** A second installation with the same clusters. Its logins are called `<name>-of-<id>`. */
  readonly other?: string;
  /** Limit of JetStream's file storage, bytes; for tests that fill it. Default: NATS' own limit. */
  readonly storeBytes?: number;
}

/** Longest time until a started server must answer, ms. */
const readyLimitMs = 15_000;

interface Place {
  readonly kind: BrokerKind;
  readonly program: Program;
  readonly folder: string;
  readonly data: string;
  readonly logFile: string;
  readonly port: number;
  readonly monitor: number;
  readonly logins: readonly OwnLogin[];
  readonly storeBytes: number | undefined;
}

function tailLog(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-5).join("\n");
}

async function launch(place: Place): Promise<OwnProcess> {
  const { kind, program, folder, data, logFile, port, monitor, logins, storeBytes } = place;
  const args = [...kind.arguments(port, data, monitor), ...kind.configure(folder, logins, storeBytes)];
  const own = startProcess(program, args, logFile);
  const until = performance.now() + readyLimitMs;
  while (!(await probePort(port, kind.makeProbe(logins)))) {
    if (own.hasEnded() || performance.now() > until) {
      await own.end("SIGKILL");
      throw new Error(`${program.path} did not start on port ${port}; the end of ${logFile}:\n${tailLog(logFile)}`);
    }
    await sleep(20);
  }
  // Our server may have failed to bind while another one answers on the port.
  if (own.hasEnded()) throw new Error(`port ${port} was taken before ${program.path} got it`);
  return own;
}

/** The first start, on a free port. Tried three times, as another process can take the port in between. */
async function launchAnywhere(place: Omit<Place, "port" | "monitor">): Promise<{ own: OwnProcess; place: Place }> {
  for (let left = 2; ; left--) {
    const [port = 0, monitor = 0] = await findFreePorts(2);
    const chosen = { ...place, port, monitor };
    try {
      return { own: await launch(chosen), place: chosen };
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** Starts a Redis or NATS server on a free loopback port. Throws `BrokersMissing` when no binary is found. */
export async function startBroker(kind: BrokerKind, options: BrokerOptions): Promise<Broker> {
  const program = await findProgram(kind, options);
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const data = makeDataFolder(folder, kind);
  const pidFile = join(folder, `${kind.name}.pid`);
  await endStale(pidFile);
  const logins = makeOwnLogins(options.installation ?? testInstallation, options.clusters, options.other);
  const place = {
    kind,
    program,
    folder,
    data,
    logFile: join(folder, `${kind.name}.log`),
    logins,
    storeBytes: options.storeBytes,
  };
  const first = await launchAnywhere(place);
  const { port } = first.place;
  let own: OwnProcess | undefined = first.own;
  writePidFile(pidFile, { pid: own.pid, port });

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await own?.end(signal);
    own = undefined;
    removePidFile(pidFile);
  }

  const findUrl = (login: string): string | undefined => {
    const password = findPassword(kind.choose(logins), login);
    return password && `${kind.scheme}://${login}:${password}@127.0.0.1:${port}`;
  };
  const urlOf = (login: string): string => {
    const url = findUrl(login);
    if (url === undefined) throw new Error(`bug: ${kind.name} has no login ${login}; is its cluster named?`);
    return url;
  };
  return {
    url: urlOf("operator"),
    findUrl,
    urlOf,
    pid: () => own?.pid,
    async start() {
      if (own !== undefined && !own.hasEnded()) return;
      own = await launch(first.place);
      writePidFile(pidFile, { pid: own.pid, port });
    },
    stop: async () => end("SIGTERM"),
    kill: async () => end("SIGKILL"),
    wipe() {
      if (own !== undefined) throw new Error(`${kind.name} runs: stop it before its data is taken away`);
      rmSync(data, { recursive: true, force: true });
      makeDataFolder(folder, kind);
    },
  };
}
