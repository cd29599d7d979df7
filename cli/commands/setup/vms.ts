import { resolve } from "node:path";

import { parseDuration, printDuration } from "#libs/campaign";
import { isVmName } from "#libs/events";
import type { VmGroupRef } from "#libs/fleet";
import { isLabelName } from "#libs/input";
import { readSecretFile } from "#libs/runtime";
import { printJoinToken, shortestVmKey } from "#libs/vms";
import { Argument, InvalidArgumentError } from "commander";

import { addOutputOption, type OutputOptions } from "../../options/output-option.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";

interface Options extends OutputOptions<"human" | "json"> {
  /** In ms. */
  readonly ttl: number;
  readonly keyFile?: string;
}

const dayMs = 24 * 3_600_000;
/** Images are built with a token; one that holds for longer than a year is forgotten. */
const longestMs = 366 * dayMs;

function readTtl(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= longestMs) return ms;
  throw new InvalidArgumentError("Say it with its unit, as 30m, 24h or 90d: at most 366d.");
}

function readGroup(text: string): VmGroupRef {
  const [cluster = "", namespace = "", name = "", ...more] = text.split("/");
  if (isLabelName(cluster) && isLabelName(namespace) && isVmName(name) && more.length === 0)
    return { cluster, namespace, name };
  throw new InvalidArgumentError("It is not CLUSTER/NAMESPACE/GROUP, as east/shop/web.");
}

function readKeyFile(path: string): string {
  try {
    return readSecretFile(path).trim();
  } catch (error) {
    throw new Refusal(exitCodes.invalid, `--key-file ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The key that the api has, which signs the token. */
function findKey({ keyFile }: Options, { env, cwd }: Terminal): string {
  const key = keyFile === undefined ? (env["MESHROLL_API_VM_KEY"] ?? "") : readKeyFile(resolve(cwd, keyFile));
  const from = keyFile === undefined ? "MESHROLL_API_VM_KEY" : "--key-file";
  if (key === "")
    throw new Refusal(
      exitCodes.environment,
      keyFile === undefined ? "the key that signs join tokens is not here" : "--key-file is empty",
      "set MESHROLL_API_VM_KEY as the api has it, or give --key-file",
    );
  if (key.length >= shortestVmKey) return key;
  throw new Refusal(
    exitCodes.environment,
    `${from} has less than ${shortestVmKey} characters, and the api takes no such key`,
    "make one with: openssl rand -hex 32",
  );
}

/** `meshroll vms token`: makes a join token, by which agents of one group register at the api. Asks no one. */
export const define: Define = (command, { terminal }) => {
  addOutputOption(command, ["human", "json"])
    .addArgument(new Argument("<what>", "token: what agents of a group register with").choices(["token"]))
    .addArgument(new Argument("<group>", "the WorkloadGroup, as CLUSTER/NAMESPACE/GROUP").argParser(readGroup))
    .option("--ttl <duration>", "how long VMs can register with it: 30m, 24h, 90d (default: 24h)", readTtl, dayMs)
    .option("--key-file <file>", "a file with the api's key; default: MESHROLL_API_VM_KEY")
    .action(async (_: string, group: VmGroupRef, options: Options) => {
      const expires = Date.now() + options.ttl;
      const token = printJoinToken(findKey(options, terminal), { group, expires });
      const until = new Date(expires).toISOString();
      if (options.output === "json") {
        const whole = { apiVersion: "meshroll.dev/v1", kind: "JoinToken", ...group, expires: until, token };
        return write(terminal.stdout, `${JSON.stringify(whole, undefined, 2)}\n`);
      }
      await write(terminal.stdout, `${token}\n`);
      await write(
        terminal.stderr,
        `✔ VMs can register with it for ${printDuration(options.ttl)}: who has it can report as a VM of this group\n`,
      );
    });
};
