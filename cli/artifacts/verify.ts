import { explainSystemError } from "#libs/input";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import {
  type ArtifactStore,
  checkFiles,
  findOffer,
  listTargets,
  openStore,
  StoreUnavailable,
  type Trust,
  type Wanted,
} from "#libs/artifact";
import { type ArtifactRefusal, printText, renderArtifactRefusal } from "#libs/wording";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { type ArtifactOptions, requireOption } from "./options.ts";

interface Verdict extends Wanted {
  readonly digest?: string;
  readonly refusal?: ArtifactRefusal;
}

function openNamed(options: ArtifactOptions, { cwd }: Terminal): ArtifactStore {
  const address = requireOption(options, "store");
  try {
    return openStore(/^[a-z][a-z0-9+.-]*:/u.test(address) ? address : resolve(cwd, address));
  } catch (error) {
    throw new Refusal(exitCodes.usage, (error as Error).message);
  }
}

function readRoot(options: ArtifactOptions, { cwd }: Terminal): Trust {
  const path = requireOption(options, "root");
  try {
    return { root: readFileSync(resolve(cwd, path), "utf8") };
  } catch (error) {
    throw new Refusal(exitCodes.invalid, `${path} cannot be read: ${explainSystemError(error)}`);
  }
}

async function judge(store: ArtifactStore, trust: Trust, wanted: Wanted): Promise<{ trust: Trust; verdict: Verdict }> {
  const found = await findOffer(store, trust, wanted);
  const { offer } = found;
  if (offer.kind === "unavailable") throw new Refusal(exitCodes.unavailable, offer.why);
  if (offer.kind === "refused") return { trust: found.trust, verdict: { ...wanted, refusal: offer.refusal } };
  const refusal = await checkFiles(store, offer.artifact.manifest.files);
  const verdict = { ...wanted, digest: offer.artifact.digest, ...(refusal === undefined ? {} : { refusal }) };
  return { trust: found.trust, verdict };
}

/** The requested artifacts, or all signed ones. */
async function list(options: ArtifactOptions, store: ArtifactStore, trust: Trust): Promise<readonly Wanted[]> {
  const { revision, platform } = options;
  if (revision !== undefined) return [{ revision, platform }];
  const found = await findOffer(store, trust, { revision: "any", platform });
  const { offer } = found;
  if (offer.kind === "unavailable") throw new Refusal(exitCodes.unavailable, offer.why);
  if (offer.kind === "refused" && offer.refusal.code !== "NotOffered") {
    throw new Refusal(exitCodes.invalid, printText(renderArtifactRefusal(offer.refusal)));
  }
  return listTargets(found.trust).map((name) => {
    const [of = "", file = ""] = name.split("/");
    return { revision: of, platform: file.replace(/\.json$/u, "") };
  });
}

function printVerdict({ revision, platform, digest = "", refusal }: Verdict): string {
  const mark = refusal === undefined ? "✔" : "✖";
  const why = refusal === undefined ? "" : `\t${printText(renderArtifactRefusal(refusal))}`;
  return `${mark} ${revision}\t${platform}\t${digest.slice(0, 12)}${why}\n`;
}

/** Reads artifacts as an agent would, with all of their bytes; returns whether each may be installed. */
export async function verify(options: ArtifactOptions, terminal: Terminal): Promise<boolean> {
  const store = openNamed(options, terminal);
  let trust = readRoot(options, terminal);
  const verdicts: Verdict[] = [];
  try {
    for (const wanted of await list(options, store, trust)) {
      const judged = await judge(store, trust, wanted);
      ({ trust } = judged);
      verdicts.push(judged.verdict);
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw new Refusal(exitCodes.unavailable, error.message);
    throw error;
  }
  if (options.output === "json") await write(terminal.stdout, `${JSON.stringify({ artifacts: verdicts }, null, 2)}\n`);
  else for (const verdict of verdicts) await write(terminal.stdout, printVerdict(verdict));
  if (verdicts.length === 0) await write(terminal.stderr, "no artifact is signed\n");
  return verdicts.every(({ refusal }) => refusal === undefined);
}
