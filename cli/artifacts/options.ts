import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** The options of all verbs of `meshroll artifact`. */
export interface ArtifactOptions {
  readonly store?: string;
  readonly keys?: string;
  readonly rootKeys: number;
  readonly threshold?: number;
  readonly oldKeys?: string;
  readonly onlyTimestamp?: boolean;
  readonly timestampDays?: number;
  readonly revision?: string;
  readonly platform: string;
  readonly discoveryAddress?: string;
  readonly file: readonly string[];
  readonly start: string;
  readonly rules?: string;
  readonly hotRestart?: string;
  readonly minimumAgent?: string;
  readonly after: readonly string[];
  readonly root?: string;
  readonly output: "human" | "json";
}

/** What a verb needs, by the option's name as it is typed. */
export function requireOption(
  options: ArtifactOptions,
  name: "store" | "keys" | "revision" | "discoveryAddress" | "root",
): string {
  const value = options[name];
  if (value !== undefined) return value;
  const typed = name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  throw new Refusal(exitCodes.usage, `--${typed} is needed`, [{ command: "meshroll help artifact" }]);
}
