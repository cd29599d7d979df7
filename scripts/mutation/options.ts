import { parseArgs } from "node:util";
import { type PureLib, pureLibs } from "./libs.ts";

/** What was asked for on the command line. */
export interface Options {
  readonly libs: readonly PureLib[];
  /** Paths of the only files to change, from the root; empty = all. */
  readonly files: readonly string[];
  /** Mutants for each lib. */
  readonly sample: number;
  readonly seed: number;
  /** Processes that run tests at the same time. */
  readonly lanes: number;
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`mutation: --${name} ${text} is no number from 1 on`);
  return value;
}

/** Reads `--lib NAME` (again for more), `--file PATH` (likewise), `--sample N|all`, `--seed N`, `--lanes N`. Throws with what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lib: { type: "string", multiple: true, default: [] },
      file: { type: "string", multiple: true, default: [] },
      sample: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      lanes: { type: "string", default: "2" },
    },
  });
  const unknown = values.lib.filter((name) => !pureLibs.some((lib) => lib.name === name));
  if (unknown.length > 0) {
    const known = pureLibs.map(({ name }) => name).join(", ");
    throw new Error(`mutation: --lib ${unknown.join(", ")} is no pure lib; there are ${known}`);
  }
  return {
    libs: pureLibs.filter(({ name }) => values.lib.length === 0 || values.lib.includes(name)),
    files: values.file,
    sample: values.sample === "all" ? Infinity : readNumber("sample", values.sample),
    seed: readNumber("seed", values.seed),
    lanes: readNumber("lanes", values.lanes),
  };
}
