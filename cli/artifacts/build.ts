import { basename, resolve } from "node:path";

import { buildArtifact } from "#libs/artifact";
import { printText, quoteForShell, renderArtifactRefusal } from "#libs/wording";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { wrapSentences } from "../text/wrap-text.ts";
import { type ArtifactOptions, requireOption } from "./options.ts";

/** `NAME=PATH`, or a path whose last part is the name. */
function readFiles({ file }: ArtifactOptions, { cwd }: Terminal): ReadonlyMap<string, string> {
  if (file.length === 0)
    throw new Refusal(exitCodes.usage, "--file is needed, at least for the program that starts the proxy");
  return new Map(
    file.map((each) => {
      const at = each.indexOf("=");
      return at < 0 ? [basename(each), resolve(cwd, each)] : [each.slice(0, at), resolve(cwd, each.slice(at + 1))];
    }),
  );
}

/** Puts an artifact into the store's folder, not signed yet. */
export async function build(options: ArtifactOptions, terminal: Terminal): Promise<void> {
  const store = resolve(terminal.cwd, requireOption(options, "store"));
  const { platform, start, rules, hotRestart, minimumAgent, after } = options;
  const recipe = {
    revision: requireOption(options, "revision"),
    platform,
    discoveryAddress: requireOption(options, "discoveryAddress"),
    start,
    ...(rules === undefined ? {} : { rules }),
    ...(hotRestart === undefined ? {} : { hotRestart }),
    ...(minimumAgent === undefined ? {} : { minimumAgent }),
    ...(after.length === 0 ? {} : { after }),
    files: readFiles(options, terminal),
  };
  const built = buildArtifact(store, recipe);
  if (built.kind === "refused") throw new Refusal(exitCodes.invalid, printText(renderArtifactRefusal(built.refusal)));
  const { digest, manifest } = built;
  if (options.output === "json") return write(terminal.stdout, `${JSON.stringify({ digest, manifest }, null, 2)}\n`);
  const bytes = manifest.files.reduce((sum, { length }) => sum + length, 0);
  await write(
    terminal.stdout,
    `${recipe.revision}\t${platform}\t${digest}\t${bytes} bytes in ${manifest.files.length} files\n`,
  );
  const next = { command: `meshroll artifact sign --store ${quoteForShell(store)} --keys DIR` };
  await write(terminal.stderr, `${wrapSentences([["not signed yet: ", next]], terminal).join("\n")}\n`);
}
