import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface DemoCommand {
  readonly verb: "play" | "merge" | "fix" | "help";
  readonly yes: boolean;
  readonly wipe: boolean;
  /** Pull requests are on a real Gitea instead of the stand-in for GitHub. */
  readonly gitea: boolean;
  /** For a program that reads stdout: one JSON object per line. */
  readonly json: boolean;
}

export const helpText = `npm run demo                  six clusters, one campaign; you are the operator
npm run demo -- --yes         unattended: approves and merges too, then ends
npm run demo -- --yes --wipe  wipes Redis and NATS meanwhile, twice
npm run demo -- --gitea       on a real Gitea, compiled first: 7 minutes, once
npm run demo -- merge         in another terminal: approve and merge, as ben
npm run demo -- fix           in another terminal: removes the fault
npm run demo -- --help        this text

On a terminal it draws a picture. Piped, it prints a line for each thing that
happens. With -o json stdout is one JSON object per line and stderr is for
people (npm run -s keeps npm's own lines out of it). The objects, by kind:
  {"kind":"said","at","text"}    what the demo itself did
  {"kind":"status","status"}     the planner's, see docs/reference/status.md
  {"kind":"event","event"}       of the stream, see docs/reference/messages.md
  {"kind":"next","steps"}        what may be typed now: [{"what","command"}, …]
  {"kind":"summary","summary"}   the last: runs, stops, writes, violations

Everything is in .demo: rollouts.git, the logs of the processes, and env: type
". .demo/env" in another terminal before npx meshroll. It ends with 0 when all
runs are over and the audit passed, 3 where no Gitea can be had for --gitea,
130 after Ctrl-C, else 1.
`;

/** Throws with a message for people when the arguments are not in the help text. */
export function readOptions(args: readonly string[]): DemoCommand {
  const options = {
    yes: { type: "boolean" },
    wipe: { type: "boolean" },
    gitea: { type: "boolean" },
    output: { type: "string", short: "o" },
    help: { type: "boolean", short: "h" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { yes, wipe, gitea, help, output } = values;
  if (output !== undefined && output !== "json")
    throw new Error(`-o ${output}: unknown, there is json; see  npm run demo -- --help`);
  const flags = { yes: yes === true, wipe: wipe === true, gitea: gitea === true, json: output === "json" };
  const [verb = "play", ...rest] = positionals;
  if (help === true) return { verb: "help", ...flags };
  const isKnown = (text: string): text is "play" | "merge" | "fix" => ["play", "merge", "fix"].includes(text);
  if (rest.length > 0 || !isKnown(verb))
    throw new Error(`${positionals.join(" ")}: unknown; see  npm run demo -- --help`);
  return { verb, ...flags };
}
