import { styleText } from "node:util";

import { showUnprintable } from "#libs/input";
import { type Finding, renderFindings } from "#libs/rollouts";

import { canColour, type Terminal, writeSequences } from "../terminal/terminal.ts";

const colours = { error: "red", warning: "yellow", note: "cyan" } as const;

/** Only the heads are coloured: quoted lines must be copyable. */
function paintHeads(rendered: string): string {
  return rendered.replaceAll(/^(error|warning|note)\[MR\d{4}\]/gm, (head: string, severity: keyof typeof colours) =>
    styleText([colours[severity], "bold"], head, { validateStream: false }),
  );
}

/** Prints the findings of one file, each with its lines and an empty line after it. */
export async function printFindings(
  findings: readonly Finding[],
  text: string,
  stream: Terminal["stdout"],
  env: Terminal["env"],
): Promise<void> {
  if (findings.length === 0) return;
  const rendered = showUnprintable(renderFindings(findings, text));
  await writeSequences(stream, `${canColour(stream, env) ? paintHeads(rendered) : rendered}\n\n`);
}
