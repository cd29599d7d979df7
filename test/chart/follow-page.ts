import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { readAddresses } from "../../scripts/logins/write-env-files.ts";
import { writeLogins } from "../../scripts/logins/write-logins.ts";
import type { OwnCluster } from "../cluster/bed/start-cluster.ts";
import type { ClusterProgram } from "../cluster/programs/find-programs.ts";

const page = fileURLToPath(new URL("../../docs/how-to/install-with-helm.md", import.meta.url));

/** The blocks of shell commands of the page's section, in order. */
function readBlocks(section: string): readonly string[] {
  const text = readFileSync(page, "utf8");
  const begin = text.indexOf(`\n## ${section}`);
  if (begin < 0) throw new Error(`the page has no section ${section}`);
  const part = text.slice(begin + 1).split("\n## ")[0] ?? "";
  return [...part.matchAll(/```sh\n([\s\S]*?)```/gu)].map(([, block = ""]) => block);
}

/** What a person has in the files of tokens. */
const tokens = {
  planner: "MESHROLL_GIT_TOKEN=Q7hW2mZk9TxR4vLb8NcY\nMESHROLL_GITHUB_TOKEN=B3nF6wYc1PsK5jGd7Aa1\n",
  executor: "MESHROLL_GIT_TOKEN=V9tXr2HqL8mZp4Wk1Bb2\n",
  notifier: "MESHROLL_GITHUB_TOKEN=N5cJg7TbY3vRs6Qd9Cc3\n",
};

/** Makes the Secrets by the page's own commands, from files that `npm run logins` writes. */
export function makeSecrets(cluster: OwnCluster, kubectl: ClusterProgram): void {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-helm-page-"));
  try {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    const command = [kubectl.path, ...kubectl.prefix, "--kubeconfig", cluster.kubeconfig];
    writeFileSync(join(bin, "kubectl"), `#!/bin/sh\nexec ${command.map((each) => `'${each}'`).join(" ")} "$@"\n`);
    chmodSync(join(bin, "kubectl"), 0o755);
    const [logins = "", ...blocks] = readBlocks("2. ");
    const [, envFile = ""] = /<<END\n([\s\S]*?)END\n/u.exec(logins) ?? [];
    writeFileSync(join(folder, ".env"), envFile);
    const [, addresses = ""] = /--addresses (\S+)/u.exec(logins) ?? [];
    const files = { envFile: join(folder, ".env"), folder: join(folder, ".brokers"), alone: [] };
    writeLogins({ ...files, addresses: readAddresses(addresses) });
    for (const [name, text] of Object.entries(tokens)) writeFileSync(join(folder, `${name}.env`), text);
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
    for (const block of blocks) execFileSync("sh", ["-euc", block], { cwd: folder, env, stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
        }[];
      };
    };
  };
}

/** The variables that a service gets: its own, and those of its Secrets. */
export function readVariables(cluster: OwnCluster, namespace: string, service: string): Record<string, string> {
  const get = (...args: readonly string[]): unknown =>
    JSON.parse(cluster.kubectl(["-n", namespace, "get", ...args, "-o", "json"]));
  const { spec } = (get("deployment", `meshroll-${service}`) as Deployment).spec.template;
  const [container] = spec.containers;
  const secrets = container?.envFrom.flatMap(({ secretRef }) => {
    const { data } = get("secret", secretRef.name) as { readonly data: Readonly<Record<string, string>> };
    return Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()] as const);
  });
  const own = container?.env.map(({ name, value }) => [name, value] as const);
  return Object.fromEntries([...(secrets ?? []), ...(own ?? [])]);
}
