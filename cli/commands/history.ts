import { parseDuration } from "#libs/campaign";
import { filterHistory, type LedgerLog } from "#libs/events";
import { findNamed, type StopScope } from "#libs/input";
import { InvalidArgumentError, Option } from "commander";

import type { Define } from "../terminal/command.ts";
import { readLedgerLog } from "../show/status/ledger-log.ts";
import { addOutputOption } from "../options/output-option.ts";
import { requireKnown } from "../names/unknown-name.ts";
import { parseSubject } from "../options/parse-scope.ts";
import { printHistory } from "../show/status/print-history.ts";
import { checkZone, type TimeOptions } from "../text/print-time.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { readWidth, write } from "../terminal/terminal.ts";

interface Options extends RepositoryOptions, TimeOptions {
  readonly since?: number;
  readonly actor?: string;
  readonly grep?: string;
  readonly limit: number;
  readonly output: "human" | "json";
}

/** Epoch ms: `7d` ago, or a time. */
function readSince(text: string): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return Date.now() - ago;
  const time = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError("say 7d, 12h, or a time as 2026-11-19 or 2026-11-19T09:00Z");
  return time;
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/u.test(text)) throw new InvalidArgumentError("say a number of 1 or more");
  return Number(text);
}

/**
 * Refuses a run or a campaign of which there is no transition: for a typo an empty list would be misleading. Of other things
 * there may be none.
 */
function refuseUnnamed(scope: StopScope, { lines, isCut }: LedgerLog): void {
  // Transitions that were not read may be about it.
  if (isCut) return;
  for (const kind of ["run", "campaign"] as const) {
    const name = findNamed(kind, scope);
    if (name === undefined) continue;
    const known = lines.flatMap(({ about }) => about.flatMap((each) => findNamed(kind, each) ?? []));
    requireKnown(kind, name, new Set(known));
  }
}

/** `meshroll history`: the ledger's transitions: what was decided, by whom and why. Works offline on a clone. */
export const define: Define = (command, { terminal }) => {
  addOutputOption(addRepositoryOption(command), ["human", "json"])
    .argument("[subject]", "a campaign's name, run/ID or another scope: only what is about it")
    .option("--since <when>", "not older than 7d, 12h, or a time", readSince)
    .option("--actor <name>", "only what this user or service did")
    .option("--grep <words>", "only sentences with these words, in any letters")
    .option("--tz <zone>", "time zone, as Europe/Berlin (default: this machine's)")
    .addOption(new Option("-n, --limit <count>", "at most this many, the newest").argParser(readLimit).default(50))
    .action(async (text: string | undefined, options: Options) => {
      checkZone(options);
      const scope = text === undefined ? undefined : parseSubject(text);
      const log = await readLedgerLog(options, terminal);
      if (log.offline !== undefined) {
        await write(terminal.stderr, `! this is what was fetched last, and may be old: ${log.offline}\n`);
      }
      if (scope !== undefined) refuseUnnamed(scope, log);
      const history = filterHistory(log, {
        ...options,
        ...(scope === undefined ? {} : { scope }),
        ...(options.grep === undefined ? {} : { text: options.grep }),
      });
      const named = { apiVersion: "meshroll.dev/v1", kind: "History", ...history };
      const printed =
        options.output === "json"
          ? `${JSON.stringify(named, undefined, 2)}\n`
          : printHistory(history, { ...options, width: readWidth(terminal) });
      await write(terminal.stdout, printed);
    });
};
