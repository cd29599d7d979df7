import { resolve } from "node:path";

import { defaultLifetimes, KeyUnusable, readSigners, SigningRefused, signStore } from "#libs/artifact";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { type ArtifactOptions, requireOption } from "./options.ts";

/** Signs what is new in the store, and metadata that would expire. */
export async function sign(options: ArtifactOptions, terminal: Terminal): Promise<void> {
  const store = resolve(terminal.cwd, requireOption(options, "store"));
  const keys = resolve(terminal.cwd, requireOption(options, "keys"));
  const { oldKeys, threshold, onlyTimestamp, timestampDays = defaultLifetimes.timestamp } = options;
  try {
    const signed = signStore(store, {
      signers: readSigners(keys),
      now: Date.now(),
      lifetimes: { ...defaultLifetimes, timestamp: timestampDays },
      ...(threshold === undefined ? {} : { threshold }),
      ...(onlyTimestamp === undefined ? {} : { onlyTimestamp }),
      ...(oldKeys === undefined ? {} : { rotateFrom: readSigners(resolve(terminal.cwd, oldKeys)) }),
    });
    if (options.output === "json") return await write(terminal.stdout, `${JSON.stringify(signed, null, 2)}\n`);
    for (const name of signed.added) await write(terminal.stdout, `${name}\n`);
    const versions = Object.entries(signed.versions).map(([role, version]) => `${role} ${version}`);
    await write(
      terminal.stderr,
      `✔ signed: ${versions.join(", ")}; renew the timestamp within ${timestampDays} days\n`,
    );
  } catch (error) {
    if (error instanceof SigningRefused || error instanceof KeyUnusable)
      throw new Refusal(exitCodes.refused, error.message);
    throw error;
  }
}
