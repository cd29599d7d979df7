// Of the package: what each of its commands calls. Plain JavaScript that an old Node reads too, so that it can say what is wrong.
import { readFileSync } from "node:fs";

/** The range of `engines` in our package.json: what our dependencies run on. They leave out 23, which never had long-term support. */
function canRun(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/** Runs `entry`, a path from here, in this process; ends it with the command that fixes it when this Node is too old. */
export async function start(entry) {
  const { node } = process.versions;
  const isCli = entry.includes("/cli/");
  const { version, engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (!canRun(node)) {
    process.stderr.write(`meshroll: Node ${node} cannot run this: it needs Node ${engines.node}\n`);
    process.stderr.write("  install Node 24 and run the same command again\n");
    process.exit(1);
  }
  // Installers, scripts and people call these often: nothing is loaded for them. As a plugin of kubectl it has another name.
  const isNamed = isCli && !/(?:^|[\\/])kubectl[-_][^\\/]*$/u.test(process.argv[1]);
  const only = isNamed && process.argv.length === 3 ? process.argv[2] : undefined;
  if (only === "--version" || only === "--help") {
    process.stdout.write(only === "--version" ? `${version}\n` : readFileSync(new URL("help.txt", import.meta.url)));
    return;
  }
  // A stack trace names the line that was written. The command line prints one only when it is asked for it.
  if (!isCli || process.env.MESHROLL_DEBUG) process.setSourceMapsEnabled(true);
  await import(new URL(entry, import.meta.url).href);
}
