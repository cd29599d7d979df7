import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { ServerUnreachable } from "../requests/api-call.ts";
import { connect } from "../requests/connection.ts";
import { openCluster } from "./open-cluster.ts";
import { makeTestCertificate } from "./test-certificate.ts";

type Fields = Readonly<Record<string, unknown>>;

const encode = (text: string): string => Buffer.from(text).toString("base64");

/** A kubeconfig of one context. */
function write(cluster: Fields, user: Fields = {}): string {
  return JSON.stringify({
    clusters: [{ name: "c", cluster }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user }],
    "current-context": "c",
  });
}

/** Answers as an API server that does not know the login; returns the port. */
async function serve(start: (onRequest: RequestListener) => Server): Promise<number> {
  const refuse: RequestListener = (_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ kind: "Status", message: "Unauthorized", code: 401 }));
  };
  const server = start(refuse);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const withTls = (options: { readonly cert: string; readonly key: string }) => (onRequest: RequestListener) =>
  createTlsServer(options, onRequest);

const { cert, key } = makeTestCertificate({ name: "kubernetes" });
const other = makeTestCertificate({ name: "kubernetes" });
const expired = makeTestCertificate({ name: "localhost", hasEnded: true });

const cases: readonly {
  readonly name: string;
  readonly write: () => Promise<string>;
  /** One sentence, for any number of collections. */
  readonly want: RegExp;
}[] = [
  {
    name: "a server that no one listens at",
    write: async () => write({ server: "https://127.0.0.1:1" }),
    want: /127\.0\.0\.1:1: the connection was refused\)?: .*; check server in the kubeconfig, and the way there/u,
  },
  {
    name: "a server of an unknown name",
    write: async () => write({ server: "https://no-such-host.invalid:6443" }),
    want: /no-such-host\.invalid:6443: .*; check server in the kubeconfig, and DNS/u,
  },
  {
    name: "the CA of another cluster",
    write: async () => {
      const port = await serve(withTls({ cert, key }));
      return write({ server: `https://127.0.0.1:${port}`, "certificate-authority-data": encode(other.cert) });
    },
    want: /self-signed certificate\): .*; the certificate-authority in the kubeconfig is not the one that signed/u,
  },
  {
    name: "a certificate of other names",
    write: async () => {
      const port = await serve(withTls({ cert, key }));
      return write({ server: `https://127.0.0.1:${port}`, "certificate-authority-data": encode(cert) });
    },
    want: /is not in the cert's list.*; .*tls-server-name/u,
  },
  {
    name: "a server whose certificate has expired",
    write: async () => {
      const port = await serve(withTls(expired));
      return write({ server: `https://localhost:${port}`, "certificate-authority-data": encode(expired.cert) });
    },
    want: /certificate has expired\): .*; renew the API server's certificate/u,
  },
  {
    name: "a server without TLS",
    write: async () => write({ server: `https://127.0.0.1:${await serve(createServer)}` }),
    want: /; check server in the kubeconfig: no TLS is spoken there/u,
  },
  {
    name: "a token that has expired",
    write: async () => {
      const port = await serve(withTls({ cert, key }));
      const cluster = { "certificate-authority-data": encode(cert), "tls-server-name": "kubernetes" };
      return write({ server: `https://127.0.0.1:${port}`, ...cluster }, { token: "old" });
    },
    want: /unauthorized: Unauthorized.*; renew the token or the certificate of the kubeconfig's user/u,
  },
  {
    name: "a CA that is no PEM",
    write: async () => {
      const port = await serve(withTls({ cert, key }));
      return write({ server: `https://127.0.0.1:${port}`, "certificate-authority-data": encode("no PEM") });
    },
    want: /; the certificate-authority in the kubeconfig is not the one that signed/u,
  },
  {
    name: "a client certificate that is no PEM",
    write: async () =>
      write({ server: "https://127.0.0.1:1" }, { "client-certificate-data": encode("x"), "client-key-data": "eA==" }),
    want: /PEM.*; check certificate-authority, client-certificate and client-key in the kubeconfig/u,
  },
  {
    name: "a key of another certificate",
    write: async () =>
      write(
        { server: "https://127.0.0.1:1" },
        { "client-certificate-data": encode(cert), "client-key-data": encode(other.key) },
      ),
    want: /key values mismatch\): .*; check certificate-authority, client-certificate and client-key in the kubeconfig/u,
  },
  {
    name: "a CA file that is not there",
    write: async () => write({ server: "https://127.0.0.1:1", "certificate-authority": "/no/such/ca.crt" }),
    want: /no credentials for 127\.0\.0\.1:1: \/no\/such\/ca\.crt: there is no such file/u,
  },
  {
    name: "a credential plugin that is not there",
    write: async () =>
      write(
        { server: "https://127.0.0.1:1" },
        {
          exec: { apiVersion: "client.authentication.k8s.io/v1", command: "no-such-plugin", interactiveMode: "Never" },
        },
      ),
    want: /no credentials for 127\.0\.0\.1:1: .*no-such-plugin/u,
  },
  {
    name: "no such context",
    write: async () => JSON.stringify({ contexts: [], clusters: [], users: [], "current-context": "gone" }),
    want: /has no context gone/u,
  },
  {
    name: "a text that is no YAML",
    write: async () => "{ clusters: [",
    want: /kubeconfig/u,
  },
];

it("a corrected kubeconfig is read without a restart, even if the server was never reached", async () => {
  const port = await serve(withTls({ cert, key }));
  const to = { server: `https://127.0.0.1:${port}`, "tls-server-name": "kubernetes" };
  const folder = mkdtempSync(join(tmpdir(), "meshroll kubeconfig "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "config");
  writeFileSync(path, write({ ...to, "certificate-authority-data": encode(other.cert) }));
  const timing = { firstRetryMs: 1, longestRetryMs: 5, relistMs: 1 };
  const cluster = openCluster({ name: "prod-eu", kubeconfig: { path }, clock: systemClock(), timing });
  const ending = new AbortController();
  const started = cluster.start(() => undefined, ending.signal).catch((error: unknown) => error);
  await expect.poll(() => cluster.problems(), { timeout: 60_000 }).toEqual([expect.stringContaining("self-signed")]);

  writeFileSync(path, write({ ...to, "certificate-authority-data": encode(cert) }));
  await expect.poll(() => cluster.problems(), { timeout: 60_000 }).toEqual([expect.stringContaining("Unauthorized")]);
  ending.abort();
  expect(await started).toBeInstanceOf(Error);
});

it("a request that cannot begin leaves no timer", async () => {
  const user = { "client-certificate-data": encode(cert), "client-key-data": encode(other.key) };
  const text = write({ server: "https://127.0.0.1:1" }, user);
  const connection = await connect({ text }, { onBytes: () => undefined, onDate: () => undefined });
  const count = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = count();
  await expect(connection.send({ method: "GET", path: "/version" })).rejects.toBeInstanceOf(ServerUnreachable);
  expect(count()).toBeLessThanOrEqual(before);
});

describe("a kubeconfig is named as what is wrong with its cluster, in one sentence, and ends nothing else, when it has", () => {
  it.each(cases)("$name", async ({ write: compose, want }) => {
    const cluster = openCluster({
      name: "prod-eu",
      kubeconfig: { text: await compose() },
      clock: systemClock(),
      timing: { firstRetryMs: 1, longestRetryMs: 5, relistMs: 1 },
    });
    const ending = new AbortController();
    const started = cluster.start(() => undefined, ending.signal).catch((error: unknown) => error);
    await expect.poll(() => cluster.problems(), { timeout: 60_000 }).toEqual([expect.stringMatching(want)]);
    expect(cluster.problems()[0]).toContain("nothing moves in this cluster");
    ending.abort();
    expect(await started).toBeInstanceOf(Error);
  });
});
