import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { buildPackage } from "../../scripts/package/build-package.ts";
import { atMostPeer, type Bench, type Figure, limitFigure } from "../bench.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rounds = 25;

/** Start time of commands of the npm package, against Node with an empty script; and the package's size. */
export const startBench: Bench = { name: "start", run: runStart };

/** Ms of CPU time, as wall-clock time would include other processes. The shell's `times` has a line for its children. */
function timeStart(args: readonly string[]): number {
  const script = '"$@" >/dev/null && times';
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  const children = stdout.trim().split("\n")[1] ?? "";
  const parts = Array.from(children.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) =>
    [minutes, seconds].map(Number),
  );
  return parts.reduce((sum, [minutes = 0, seconds = 0]) => sum + (minutes * 60 + seconds) * 1000, 0);
}

/** Mean ms of CPU time of each command over many rounds in turns: the system counts in steps of 10 ms. */
function measureStarts<const Name extends string>(commands: Readonly<Record<Name, readonly string[]>>) {
  const names = Object.keys(commands) as Name[];
  const sums = new Map<Name, number>();
  for (let round = 0; round < rounds; round++)
    for (const name of names) sums.set(name, (sums.get(name) ?? 0) + timeStart(commands[name]));
  return (name: Name) => ({ value: (sums.get(name) ?? Infinity) / rounds, unit: "ms" });
}

async function runStart(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-start-"));
  try {
    const place = join(folder, "package");
    await buildPackage(place);
    symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
    const packed = spawnSync("npm", ["pack", place, "--silent", "--pack-destination", folder], { encoding: "utf8" });
    const megabytes = statSync(join(folder, packed.stdout.trim())).size / 1024 / 1024;
    const meshroll = join(place, "bin", "meshroll.mjs");
    const took = measureStarts({
      bare: ["-e", "0"],
      version: [meshroll, "--version"],
      help: [meshroll, "--help"],
      validate: [meshroll, "validate", join(root, "test", "fixtures", "rollouts", "airbnb.yml")],
    });
    const against = (name: "version" | "help" | "validate", times: number): Figure =>
      atMostPeer(`start of the package: ${name}`, took(name), "bare node", took("bare"), times);
    return [
      against("version", 1.5),
      against("help", 1.5),
      against("validate", 6),
      limitFigure("the package, packed", { value: megabytes, unit: "MB" }, 1.5),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
