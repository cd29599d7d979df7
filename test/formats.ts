import { mkdirSync } from "node:fs";

import { newestFormat } from "#libs/input";

import { findFolder, readReleased, write } from "./formats/fixture.ts";
import { describeForms } from "./formats/forms.ts";
import { readAll } from "./formats/read-all.ts";
import { recordFixtures } from "./formats/record/record.ts";

// Makes the fixtures of a version of the formats, and says what this build reads in them: docs/reference/formats.md.

function keepForms(version: number): void {
  if (version !== newestFormat) throw new Error(`this tree has the forms of version ${newestFormat} alone`);
  if (readReleased() >= version)
    throw new Error(`a released build writes version ${version}: raise newestFormat in libs/input/format.ts`);
  mkdirSync(findFolder(version), { recursive: true });
  write(version, "forms.json", describeForms());
}

async function keepReading(version: number): Promise<void> {
  write(version, "read.json", await readAll(version));
}

const acts: ReadonlyMap<string, (version: number) => void | Promise<void>> = new Map([
  ["record", async (version: number) => recordFixtures(version, (line) => void process.stderr.write(`  ${line}\n`))],
  ["forms", keepForms],
  ["read", keepReading],
]);

const [what = "", version = ""] = process.argv.slice(2);
const act = acts.get(what);
if (act === undefined || !/^\d+$/u.test(version))
  throw new Error(`npm run test:formats -- ${[...acts.keys()].join("|")} VERSION`);
await act(Number(version));
