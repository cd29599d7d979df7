import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { makeKey } from "#libs/artifact";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { type ArtifactOptions, requireOption } from "./options.ts";

/** Writes new private keys, one for each role and as many as requested for root. Existing files are not overwritten. */
export async function makeKeys(options: ArtifactOptions, terminal: Terminal): Promise<void> {
  const folder = resolve(terminal.cwd, requireOption(options, "keys"));
  const roots = Array.from({ length: options.rootKeys }, (_, index) =>
    options.rootKeys === 1 ? "root" : `root-${index + 1}`,
  );
  const names = [...roots, "targets", "snapshot", "timestamp"].map((name) => `${name}.pem`);
  const there = names.find((name) => existsSync(join(folder, name)));
  if (there !== undefined)
    throw new Refusal(exitCodes.refused, `${join(folder, there)} is there already: nothing was written`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of names) writeFileSync(join(folder, name), makeKey(), { mode: 0o600, flag: "wx" });
  await write(
    terminal.stderr,
    `✔ ${names.length} private keys in ${folder}: keep the root keys offline, each in another place\n`,
  );
}
