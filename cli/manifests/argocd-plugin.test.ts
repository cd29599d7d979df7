import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "#test/run-cli";
import { expect, it } from "vitest";
import { parse } from "yaml";

interface Plugin {
  readonly spec: { readonly generate: { readonly command: readonly string[]; readonly args: readonly string[] } };
}

const plugin = new URL("../../deploy/mutate/argocd/plugin.yaml", import.meta.url);

/** Runs the plugin's command with stand-ins that print their arguments and environment. */
function runPlugin(env: Readonly<Record<string, string>>): string {
  const { spec } = parse(readFileSync(plugin, "utf8")) as Plugin;
  const [program = "", ...args] = [...spec.generate.command, ...spec.generate.args];
  const programs = makeFolder({
    kustomize: "#!/bin/sh\necho 'kind: Pod'\n",
    meshroll: '#!/bin/sh\nprintf "%s\\n" "$@"\n',
  });
  execFileSync("bash", ["-c", 'chmod +x "$0"/*', programs]);
  const folder = makeFolder({});
  const path = `${programs}:${process.env["PATH"] ?? ""}`;
  return execFileSync(program, args, {
    cwd: folder,
    env: { PATH: path, TMPDIR: join(folder), ARGOCD_APP_NAMESPACE: "shop", ...env },
    encoding: "utf8",
  });
}

it("an Application cannot choose where the git token of Argo CD's sidecar is sent", () => {
  const asked = { ARGOCD_ENV_ROLLOUTS_REPO: "https://other.example.com/x.git" };
  expect(runPlugin(asked)).toContain("--repo\nhttps://other.example.com/x.git\n");
  const output = runPlugin({ ...asked, MESHROLL_REPO_URL: "https://git.example.com/rollouts.git" });
  expect(output).toContain("--repo\nhttps://git.example.com/rollouts.git\n");
  expect(output).not.toContain("other.example.com");
});

it("an Application's value is one argument, whatever it contains", () => {
  const output = runPlugin({
    ARGOCD_ENV_ROLLOUTS_REPO: "x; echo ran\n$(echo ran)",
    ARGOCD_ENV_ROLLOUTS_REF: "$(echo ran)",
  });
  expect(output).toContain("--repo\nx; echo ran\n$(echo ran)\n--ref\n$(echo ran)\n");
});
