// Builds the page's files into page/built, for a checkout and for the npm package. Plain JavaScript, as it runs on the
// oldest Node that we allow, right after the packages were installed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "page");
const built = join(source, "built");

/** All that the result depends on: the page's own files, the libs that it imports, the locked packages and this script. */
function listInputs() {
  const files = ["page", "libs/wording", "libs/input"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath ?? each.path, each.name)),
  );
  const own = files.filter((file) => !file.startsWith(built) && !/\.test\.tsx?$/.test(file));
  return [...own, join(root, "package-lock.json"), fileURLToPath(import.meta.url)].sort((a, b) => (a < b ? -1 : 1));
}

function digest(...texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 16);
}

function digestInputs() {
  return digest(...listInputs().flatMap((file) => [file.slice(root.length), readFileSync(file)]));
}

function readStamp() {
  const stamp = join(built, "inputs.txt");
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

/** Writes a file under a name with the hash of its bytes, so that a browser may cache it for ever. */
function writeHashed(folder, name, bytes) {
  const [stem, ending] = [basename(name, name.slice(name.lastIndexOf("."))), name.slice(name.lastIndexOf("."))];
  const hashedName = `${stem}-${digest(bytes)}${ending}`;
  writeFileSync(join(folder, hashedName), bytes);
  return [name, hashedName];
}

/** Marks our libs as free of side effects (lint checks that), so that esbuild leaves out what the page does not use of them. */
const markSideEffectFree = {
  name: "side-effect-free",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(?:#libs\/|\.)/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === markSideEffectFree || kind === "entry-point") return undefined;
      const found = await resolve(path, { kind, resolveDir, pluginData: markSideEffectFree });
      return found.path.startsWith(join(root, "libs")) ? { ...found, sideEffects: false } : found;
    });
  },
};

async function bundle(entry) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    plugins: [markSideEffectFree],
    outdir: built,
  });
  return outputFiles[0].contents;
}

/**
 * Builds the page unless the inputs are unchanged. Renames a finished folder, as another process may build at the same time.
 */
export async function buildPage() {
  const inputs = digestInputs();
  if (readStamp() === inputs) return;
  const fresh = join(source, `built-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const names = new Map([
    writeHashed(fresh, "main.js", await bundle("main.tsx")),
    writeHashed(fresh, "main.css", await bundle("main.css")),
    writeHashed(fresh, "icon.svg", readFileSync(join(source, "icon.svg"))),
  ]);
  const html = readFileSync(join(source, "index.html"), "utf8");
  writeFileSync(
    join(fresh, "index.html"),
    html.replace(/\{\{([\w.]+)\}\}/g, (_, name) => names.get(name) ?? name),
  );
  writeFileSync(join(fresh, "inputs.txt"), inputs);
  rmSync(built, { recursive: true, force: true });
  try {
    renameSync(fresh, built);
  } catch (error) {
    // Another process finished first, with the same inputs.
    rmSync(fresh, { recursive: true, force: true });
    if (readStamp() !== inputs) throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
