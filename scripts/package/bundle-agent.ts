import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { build, type Metafile, type Plugin } from "esbuild";

/**
 * No module of ours does anything when it is loaded, so what a door names and the agent does not use is left out. `zod` is imported
 * as a namespace, so that its messages in fifty languages are left out.
 */
const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  setup(building) {
    building.onResolve({ filter: /^[.#]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === "resolved" || importer.includes("node_modules")) return undefined;
      const found = await building.resolve(path, { kind, importer, resolveDir, pluginData: "resolved" });
      return { ...found, sideEffects: false };
    });
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace('import { z } from "zod";', 'import * as z from "zod";'),
    }));
  },
};

/**
 * Plain JavaScript in front of the code: what CommonJS packages need, a sentence for a Node that is too old, and less memory: an
 * agent that mostly waits gains nothing from compilers that optimize, and their code is a tenth of what it would have in memory.
 */
const banner = `#!/usr/bin/env node
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
const require = createRequire(import.meta.url);
{
  const { node } = process.versions;
  const [major, minor] = node.split(".").map(Number);
  if (major < 22 || major === 23 || (major === 22 && minor < 19)) {
    process.stderr.write("meshroll-agent: Node " + node + " cannot run this: it needs Node 22.19 or newer of that line, or 24\\n");
    process.exit(1);
  }
  for (const flag of ["--optimize-for-size", "--no-opt", "--no-maglev", "--no-sparkplug"]) setFlagsFromString(flag);
}`;

/** The licences of the packages whose code is in the file, as a comment. */
function quoteLicences(root: string, { inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const texts = Array.from(new Set(folders), (folder) => {
    const name = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    const { license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { license?: string };
    const text = name === undefined ? (license ?? "") : readFileSync(join(root, folder, name), "utf8").trim();
    return `${folder.replace(/^.*node_modules\//, "")}\n\n${text}`;
  });
  return `/*\n${texts.toSorted().join("\n\n----\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

/** Writes the agent as one file that needs nothing but Node. Returns its sha256. */
export async function bundleAgent(root: string, file: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, "agent", "main.ts")],
    outfile: file,
    write: false,
    metafile: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    define: { MESHROLL_AGENT_VERSION: JSON.stringify(version) },
    banner: { js: banner },
    plugins: [leaveOutUnused],
  });
  const text = `${outputFiles[0]?.text ?? ""}${quoteLicences(root, metafile)}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return createHash("sha256").update(text).digest("hex");
}
