import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { build, type Plugin } from "esbuild";

import { agentFile, commands } from "./manifest.ts";

/** All that is started as a process of its own: the commands, and what planner and git start. The agent is one file by itself. */
const entries = [
  ...new Set(Object.values(commands).filter((path) => path !== agentFile)),
  "services/planner/pull-requests/judging/judge-process.js",
  "libs/git/process/meter-ssh.js",
].map((path) => ({ path, source: path.replace(/js$/, "ts"), name: nameEntry(path) }));

/** Small packages that nearly each command loads when it starts. Of all others the installed ones are used. */
const included = ["commander", "croner", "re2js", "yaml"];

/** The folder of all code in the package. It is flat, so that an address relative to it is the same in each file. */
const code = "code";

/** `cli` for cli/main.js, `meter-ssh` for that file. */
function nameEntry(path: string): string {
  return basename(path) === "main.js" ? basename(dirname(path)) : basename(path, ".js");
}

/** A module finds what is next to it by its own address, which in the package is that of a file in the code's folder. */
function keepAddresses(root: string): Plugin {
  return {
    name: "keep-addresses",
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const address = JSON.stringify(`../${relative(root, path).replace(/ts$/, "js")}`);
        const text = readFileSync(path, "utf8");
        return {
          loader: "ts",
          contents: text.replaceAll("import.meta.url", `new URL(${address}, import.meta.url).href`),
        };
      });
    },
  };
}

const leaveInstalled: Plugin = {
  name: "leave-installed",
  setup(building) {
    building.onResolve({ filter: /^[^.#/]/ }, ({ path, kind, importer }) => {
      const isIncluded = included.includes(path) || importer.includes("node_modules");
      return kind === "entry-point" || isIncluded ? undefined : { path, external: true };
    });
  },
};

/**
 * Writes the package's code: a file for each command and entry, and files for what several have in common, since a file for each
 * module takes twice as long to load. Each entry can be started at its own path.
 */
export async function bundle(root: string, folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map(({ name, source }) => [name, join(root, source)])),
    outdir: join(folder, code),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    // `yaml` is CommonJS, and requires modules of Node.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [leaveInstalled, keepAddresses(root)],
  });
  for (const { path, name } of entries) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import "${relative(dirname(file), join(folder, code, `${name}.js`))}";\n`);
  }
  for (const name of included) {
    cpSync(join(root, "node_modules", name, "LICENSE"), join(folder, code, `LICENSE.${name}`));
  }
}
