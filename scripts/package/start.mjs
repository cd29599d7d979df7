// Called by each command of the npm package. Plain JavaScript, so that an old Node can parse it and print that it is too
// old.
import { readFileSync } from "node:fs";

/** The range of `engines` in our package.json. Our dependencies exclude 23, which never had long-term support. */
function canRun(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/**
 * Runs `entry`, a path relative to this file, in this process. On a Node that is too old it exits with 1 and says what to
 * install.
 */
export async function start(entry) {
  const { node } = process.versions;
  const isCli = entry.includes("/cli/");
  const { version, engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (!canRun(node)) {
    process.stderr.write(`meshroll: Node ${node} cannot run this: it needs Node ${engines.node}\n`);
    process.stderr.write("  install Node 24 and run the same command again\n");
    process.exit(1);
  }
  // Installers and scripts call these often, so nothing is loaded for them. As a plugin of kubectl the help names another
  // command.
  const isPlainCli = isCli && !/(?:^|[\\/])kubectl[-_][^\\/]*$/u.test(process.argv[1]);
  const onlyArgument = isPlainCli && process.argv.length === 3 ? process.argv[2] : undefined;
  if (onlyArgument === "--version" || onlyArgument === "--help") {
    process.stdout.write(
      onlyArgument === "--version" ? `${version}\n` : readFileSync(new URL("help.txt", import.meta.url)),
    );
    return;
  }
  // Stack traces name lines of the TypeScript. The command line prints one only with MESHROLL_DEBUG.
  if (!isCli || process.env.MESHROLL_DEBUG) process.setSourceMapsEnabled(true);
  await import(new URL(entry, import.meta.url).href);
}
