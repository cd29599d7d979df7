import { basename, dirname } from "node:path";
import type { Complaint } from "../complaint.ts";

const ending = ".test.ts";

/** Texts by which a test refers to the file of its name: it imports it, or starts it as a process. */
function listReferences(own: string): readonly string[] {
  const name = basename(own);
  const references = [`"./${name}"`, `"${name}"`];
  // Fakes and stand-ins are imported by a subpath import; a command is run as on the command line.
  const fake = /^libs\/([^/]+)\/fake\.ts$/.exec(own)?.[1];
  if (fake !== undefined) references.push(`"#fakes/${fake}"`);
  const standIn = /^sandbox\/([^/]+)\/index\.ts$/.exec(own)?.[1];
  if (standIn !== undefined) references.push(`"#sandbox/${standIn}"`);
  if (/^cli\/(?:commands\/|run\.ts$|completion\/)/.test(own)) references.push('"#test/run-cli"');
  return references;
}

/** A test named after the file next to it must import that file; other tests are named after their subject. */
export function checkNamedTests(texts: ReadonlyMap<string, string>): readonly Complaint[] {
  return [...texts].flatMap(([path, text]) => {
    const own = `${path.slice(0, -ending.length)}.ts`;
    if (!path.endsWith(ending) || !texts.has(own)) return [];
    if (listReferences(own).some((reference) => text.includes(reference))) return [];
    const message =
      `it has the name of ${basename(own)} in ${dirname(own)} and does not import it: test that file, ` +
      "or name the test after its subject";
    return [{ path, message }];
  });
}
