import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Replaces exactly one place: a build that was not changed would be this one, and the test would show nothing. */
export function editBuild(folder: string, path: string, from: string, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, "utf8");
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places that say ${from}`);
  writeFileSync(file, parts.join(to));
}

/** This build once more, as a folder that does not exist yet. */
export function copyBuild(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const each of ["libs", "services", "cli", "package.json"]) {
    const filter = (path: string): boolean => !path.endsWith(".test.ts");
    cpSync(join(root, each), join(folder, each), { recursive: true, filter });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}
