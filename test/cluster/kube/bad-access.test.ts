import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openCluster } from "#libs/kube";
import { systemClock } from "#libs/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";

import { makeCertificates } from "../bed/certificates.ts";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { kubeModule } from "../programs/modules.ts";

type Fields = Record<string, unknown>;
interface Kubeconfig {
  clusters: { cluster: Fields }[];
  users: { user: Fields }[];
}

const finding = { env: process.env, log: () => undefined };
const encode = (file: string): string => readFileSync(file).toString("base64");

/** An administrator's certificate, signed by this cluster's CA, that expired when it was issued. */
function makeExpired({ folder }: OwnCluster): { readonly cert: string; readonly key: string } {
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const key = ["-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", "late.key"];
  openssl("req", ...key, "-subj", "/O=system:masters/CN=admin", "-out", "late.csr");
  const authority = ["-CA", "certificates/ca.crt", "-CAkey", "certificates/ca.key", "-CAcreateserial", "-days", "0"];
  openssl("x509", "-req", "-in", "late.csr", ...authority, "-out", "late.crt");
  return { cert: join(folder, "late.crt"), key: join(folder, "late.key") };
}

describe("a kubeconfig that is wrong for a real API server is named, and works without a restart once it is corrected", () => {
  let started: OwnCluster | undefined;
  const need = (): OwnCluster => {
    if (started === undefined) throw new Error("no cluster");
    return started;
  };
  beforeAll(async () => {
    started = await startCluster(await findPrograms(kubeModule, finding), 1);
    // The adapter reads stops there, and without the namespace it reads nothing.
    started.kubectl(["create", "namespace", "meshroll-system"]);
  });
  afterAll(async () => started?.end());

  const cases: readonly {
    readonly name: string;
    readonly spoil: (config: Kubeconfig, cluster: OwnCluster) => void;
    readonly want: RegExp;
  }[] = [
    {
      name: "the CA of another cluster",
      spoil: ({ clusters: [entry] }, { folder }) => {
        const other = makeCertificates(join(folder, "other"));
        if (entry !== undefined) entry.cluster["certificate-authority-data"] = encode(other.authority);
      },
      want: /certificate-authority in the kubeconfig is not the one that signed/u,
    },
    {
      name: "an unknown token",
      spoil: ({ users: [entry] }) => {
        if (entry !== undefined) entry.user = { token: "eyJhbGciOiJSUzI1NiJ9.e30.AA" };
      },
      want: /\(unauthorized: Unauthorized\): .*renew the token or the certificate/u,
    },
    {
      name: "a client certificate that has expired",
      spoil: ({ users: [entry] }, cluster) => {
        const { cert, key } = makeExpired(cluster);
        if (entry !== undefined)
          entry.user = { "client-certificate-data": encode(cert), "client-key-data": encode(key) };
      },
      want: /\(unauthorized: Unauthorized\): .*renew the token or the certificate/u,
    },
    {
      name: "a client certificate of another cluster",
      spoil: ({ users: [entry] }, { folder }) => {
        const { cert, key } = makeCertificates(join(folder, "another")).of("admin");
        if (entry !== undefined)
          entry.user = { "client-certificate-data": encode(cert), "client-key-data": encode(key) };
      },
      want: /\(unauthorized: Unauthorized\): .*renew the token or the certificate/u,
    },
    {
      name: "an address without a server",
      spoil: ({ clusters: [entry] }) => {
        if (entry !== undefined) entry.cluster["server"] = "https://127.0.0.1:1";
      },
      want: /connection was refused.*check server in the kubeconfig/u,
    },
  ];

  it.each(cases)("$name", async ({ name, spoil, want }) => {
    const cluster = need();
    const folder = join(cluster.folder, name.replaceAll(" ", "-"));
    mkdirSync(folder);
    const path = join(folder, "kubeconfig");
    const right = readFileSync(cluster.kubeconfig, "utf8");
    const config = parse(right) as Kubeconfig;
    spoil(config, cluster);
    writeFileSync(path, stringify(config), { mode: 0o600 });
    const timing = { firstRetryMs: 50, longestRetryMs: 200, relistMs: 100 };
    const opened = openCluster({ name: "one", kubeconfig: { path }, clock: systemClock(), timing });
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const reading = opened.start(() => undefined, ending.signal);
    reading.catch(() => undefined);
    await expect.poll(() => opened.problems(), { timeout: 20_000 }).toEqual([expect.stringMatching(want)]);

    writeFileSync(path, right, { mode: 0o600 });
    await reading;
    expect([opened.problems(), opened.view.namespaces.has("kube-system")]).toEqual([[], true]);
  });
});
