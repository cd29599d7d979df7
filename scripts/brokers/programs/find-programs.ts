import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

import { adviseInstall, readOsRelease } from "./advise-install.ts";
import type { BrokerKind } from "./broker-kind.ts";
import { findInstalled, moreFolders, type Program, type ProgramKind } from "./program.ts";
import { unpackPackages } from "./unpack-packages.ts";

/** Redis or NATS is not installed and could not be unpacked; the message names the command that installs it. */
class BrokersMissing extends Error {
  override readonly name = "BrokersMissing";
}

const packagesFolder = fileURLToPath(new URL("../../../.run/packages", import.meta.url));

export interface Finding {
  readonly log: (line: string) => void;
  /** Folders to search, in the form of PATH. */
  readonly path?: string;
  /** Further folders to search. Default: where distributions put servers. */
  readonly more?: readonly string[];
  readonly packagesFolder?: string;
}

/**
 * Binaries of servers: installed ones, else unpacked from the distribution's packages, which needs no root. A kind without a
 * binary is absent from the answer. @internal
 */
export async function findAvailablePrograms<Kind extends ProgramKind>(
  kinds: readonly Kind[],
  finding: Finding,
): Promise<ReadonlyMap<Kind, Program>> {
  const { log, path = process.env["PATH"] ?? "", more = moreFolders } = finding;
  const found = new Map<Kind, Program>();
  for (const kind of kinds) {
    const installed = findInstalled(kind, { path, more, log });
    if (installed !== undefined) found.set(kind, installed);
  }
  const missing = kinds.filter((kind) => !found.has(kind));
  if (missing.length === 0) return found;
  const unpacking = { folder: finding.packagesFolder ?? packagesFolder, path: [path, ...more].join(delimiter), log };
  for (const [kind, program] of await unpackPackages(missing, unpacking)) found.set(kind, program);
  return found;
}

/** The binaries of all these brokers. Throws `BrokersMissing` when one is absent. */
export async function findPrograms(
  kinds: readonly BrokerKind[],
  finding: Finding,
): Promise<ReadonlyMap<BrokerKind, Program>> {
  const found = await findAvailablePrograms(kinds, finding);
  const left = kinds.filter((kind) => !found.has(kind));
  if (left.length === 0) return found;

  const names = left.map(({ programs }) => programs.join(" or ")).join(", no ");
  const variables = left.map(({ name, scheme }) => `${name.toUpperCase()}_URL=${scheme}://HOST:PORT`).join(" ");
  throw new BrokersMissing(
    `no ${names} on this machine, and none could be unpacked\n` +
      `  install:  ${adviseInstall(process.platform, readOsRelease())}\n  or name what runs elsewhere:  ${variables}`,
  );
}

/** The binary of one broker. Throws `BrokersMissing`. */
export async function findProgram(kind: BrokerKind, finding: Finding): Promise<Program> {
  const program = (await findPrograms([kind], finding)).get(kind);
  if (program === undefined) throw new BrokersMissing(`no ${kind.name}`);
  return program;
}
