import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Complaint } from "./complaint.ts";
import { checkFolderSizes, checkRoomList } from "./folders.ts";
import { findLeaks, readMachine } from "./leaks.ts";
import { checkLinks } from "./links.ts";
import { listFiles } from "./list-files.ts";
import { checkLock } from "./lock.ts";
import { checkModuleState } from "./code/module-state.ts";
import { checkSentences } from "./code/sentences.ts";
import { checkNamedTests } from "./code/named-tests.ts";
import { checkNames, checkSuites } from "./names.ts";
import { checkHouses } from "./houses.ts";
import { checkPrivateWords } from "./code/private-words.ts";
import { checkRooms } from "./rooms.ts";
import { checkText } from "./text.ts";

export interface GuardReport {
  readonly complaints: readonly Complaint[];
  /** What was read, so that a guard that read nothing is noticed. */
  readonly summary: string;
}

/** Runs all guards of this folder over the checkout at `root`. */
export function checkRepository(root: string): GuardReport {
  const paths = listFiles(root);
  const machine = readMachine(root);
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    // A NUL byte means a binary file.
    if (!text.includes("\0")) texts.set(path, text);
  }
  const complaints = [
    ...checkNames(paths),
    ...checkSuites(paths),
    ...checkFolderSizes(paths),
    ...checkRoomList(paths),
    ...[...texts].flatMap(([path, text]) => [
      ...checkText(path, text),
      ...checkPrivateWords(path, text),
      ...findLeaks(path, text, machine),
      ...checkLinks(path, text, paths),
      ...checkHouses(path, text),
      ...checkRooms(path, text),
      ...checkModuleState(path, text),
      ...checkSentences(path, text),
    ]),
    ...checkNamedTests(texts),
    ...checkLock(texts.get("package-lock.json") ?? ""),
  ];
  return { complaints, summary: `${paths.length} files read` };
}
