import { Argument, InvalidArgumentError } from "commander";

import { build } from "../../artifacts/build.ts";
import { makeKeys } from "../../artifacts/make-keys.ts";
import type { ArtifactOptions } from "../../artifacts/options.ts";
import { sign } from "../../artifacts/sign.ts";
import { verify } from "../../artifacts/verify.ts";
import { addOutputOption } from "../../options/output-option.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function readCount(text: string): number {
  if (/^[1-9][0-9]?$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not a whole number from 1 to 99.");
}

/** `meshroll artifact keys|build|sign|verify`: the artifacts that agents of VMs install. */
export const define: Define = (command, { terminal, finish }) => {
  const what =
    "keys: make private keys; build: put a revision's files into a store; sign: sign what is new; verify: read it as an agent does";
  addOutputOption(command, ["human", "json"])
    .addArgument(new Argument("<what>", what).choices(["keys", "build", "sign", "verify"]))
    .option("--store <place>", "the artifact store: a folder; for verify also https://…")
    .option("--keys <folder>", "private keys: root.pem, targets.pem, snapshot.pem, timestamp.pem")
    .option("--root-keys <count>", "with keys: how many keys root has", readCount, 1)
    .option("--threshold <count>", "with sign, for a new root: how many of its keys must sign the next root", readCount)
    .option("--old-keys <folder>", "with sign: make a new root of --keys, also signed by the root keys in this folder")
    .option("--only-timestamp", "with sign: renew only the timestamp; needs only its key")
    .option("--timestamp-days <days>", "with sign: how long the timestamp is good for (default: 7)", readCount)
    .option("--revision <revision>", "with build: the revision it is for; with verify: only this one (default: all)")
    .option("--platform <platform>", "the machines it is for", "linux-x64")
    .option("--discovery-address <address>", "with build: host:port of the revision's istiod")
    .option("--file <name=path>", "with build: a file to put in, with its executable bit; may be repeated", collect, [])
    .option("--start <name>", "with build: the file that becomes the proxy", "start")
    .option("--rules <name>", "with build: the file that adds (up) and removes (down) iptables rules")
    .option(
      "--hot-restart <version>",
      "with build: the output of envoy --hot-restart-version, to switch without closing listeners",
    )
    .option("--minimum-agent <version>", "with build: the oldest agent that can install it")
    .option(
      "--after <revision>",
      "with build: a revision that a VM must have run before; of several, one of them",
      collect,
      [],
    )
    .option("--root <file>", "with verify: the root.json that agents were given")
    .action(async (verb: "keys" | "build" | "sign" | "verify", options: ArtifactOptions) => {
      if (verb === "keys") return makeKeys(options, terminal);
      if (verb === "build") return build(options, terminal);
      if (verb === "sign") return sign(options, terminal);
      if (!(await verify(options, terminal))) finish(exitCodes.invalid);
    });
};
