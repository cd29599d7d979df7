import { readableFile, secret, type Secret } from "#libs/runtime";
import { z } from "zod";

import type { AppIdentity } from "../github/app/app-identity.ts";

/** Variables of a process that is a GitHub App. */
export const appVariables = {
  MESHROLL_GITHUB_APP_ID: z
    .string()
    .regex(/^(?:\d{1,19}|Iv[\w.]{6,40})$/u, "is not an id of a GitHub App: a number, or a client id (Iv…)")
    .optional(),
  /** A PEM file; read again for each token, so a new key needs no restart. */
  MESHROLL_GITHUB_APP_KEY_FILE: readableFile().optional(),
  /** The key itself; its line ends may be written as \n. */
  MESHROLL_GITHUB_APP_KEY: secret().optional(),
  /** Default: GitHub is asked which installation has the repository. */
  MESHROLL_GITHUB_APP_INSTALLATION_ID: z.coerce.number().int().min(1).optional(),
} as const;

/** What `appVariables` read. */
export interface AppConfig {
  readonly MESHROLL_GITHUB_APP_ID?: string | undefined;
  readonly MESHROLL_GITHUB_APP_KEY_FILE?: string | undefined;
  readonly MESHROLL_GITHUB_APP_KEY?: Secret | undefined;
  readonly MESHROLL_GITHUB_APP_INSTALLATION_ID?: number | undefined;
}

type Problem = readonly [name: string, message: string];

/** What is wrong with the App's variables together. */
export function listAppProblems(config: AppConfig): readonly Problem[] {
  const { MESHROLL_GITHUB_APP_ID: id, MESHROLL_GITHUB_APP_KEY: value, MESHROLL_GITHUB_APP_KEY_FILE: file } = config;
  if (id !== undefined) {
    if (value === undefined && file === undefined)
      return [["MESHROLL_GITHUB_APP_KEY_FILE", "is not set, though MESHROLL_GITHUB_APP_ID is: the App's private key"]];
    const both = value !== undefined && file !== undefined;
    return both ? [["MESHROLL_GITHUB_APP_KEY", "is set, and MESHROLL_GITHUB_APP_KEY_FILE too: unset one"]] : [];
  }
  const others = [value, file, config.MESHROLL_GITHUB_APP_INSTALLATION_ID];
  return others.every((other) => other === undefined)
    ? []
    : [["MESHROLL_GITHUB_APP_ID", "is not set, though other variables of the App are"]];
}

/** The App that the environment names; undefined: none. */
export function readApp(config: AppConfig): AppIdentity | undefined {
  const { MESHROLL_GITHUB_APP_ID: id, MESHROLL_GITHUB_APP_KEY: value, MESHROLL_GITHUB_APP_KEY_FILE: file } = config;
  const installation = config.MESHROLL_GITHUB_APP_INSTALLATION_ID;
  const where = installation === undefined ? {} : { installation };
  if (id === undefined) return undefined;
  if (value !== undefined) return { id, key: { value }, ...where };
  return file === undefined ? undefined : { id, key: { file }, ...where };
}
