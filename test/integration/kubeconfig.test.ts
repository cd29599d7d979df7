import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";

import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { KubeconfigError, readServer, reviewAccess } from "#libs/kube";

const fixtures = fileURLToPath(new URL("../fixtures/tls", import.meta.url));
const base64 = (name: string): string => readFileSync(join(fixtures, name)).toString("base64");
const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll kubeconfig "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** An API server over TLS that records who asked, and what Kubernetes would see of a request. */
async function startServer() {
  const asked: string[] = [];
  const keys = { cert: readFileSync(join(fixtures, "server.pem")), key: readFileSync(join(fixtures, "server.key")) };
  const options = { ...keys, ca: readFileSync(join(fixtures, "ca.pem")), requestCert: true, rejectUnauthorized: false };
  const server = https.createServer(options, (request, response) => {
    const { authorization = "", ...headers } = request.headers;
    const socket = request.socket as TLSSocket;
    const names = ["impersonate-user", "impersonate-uid", "impersonate-group"];
    const as = names.map((name) => headers[name]).filter((value) => value !== undefined);
    const subject = String(socket.getPeerCertificate().subject?.CN ?? "");
    const proven = socket.authorized ? subject : "";
    asked.push([request.url, authorization, proven, String(socket.servername), as.join(",")].join(" | "));
    response.writeHead(201, { "content-type": "application/json" }).end('{"status":{"allowed":true}}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, asked };
}

const right = { verb: "get", resource: "pods", purpose: "a test" } as unknown as Parameters<
  typeof reviewAccess
>[1][number];

async function askAsOurs(file: string): Promise<void> {
  expect(await reviewAccess({ path: file }, [right])).toMatchObject([{ allowed: true }]);
}

/** Asks with the official client, for comparison. */
async function askAsPeer(file: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(file);
  const options: https.RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const request = https.request(`${config.getCurrentCluster()?.server ?? ""}${path}`, { ...options, method: "POST" });
  request.end("{}");
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  response.resume();
  await once(response, "end");
}

interface Entries {
  readonly cluster?: object;
  readonly user?: object;
}

function write(folder: string, server: string, { cluster = {}, user = {} }: Entries): string {
  const file = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server, "certificate-authority-data": base64("ca.pem"), ...cluster } }],
    users: [{ name: "u", user }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** A credential plugin that prints this status, and records the variable that it is given. */
function makePlugin(folder: string, status: object): string {
  const file = join(folder, "plugin");
  const answer = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status };
  writeFileSync(join(folder, "answer"), JSON.stringify(answer));
  const script = ["#!/bin/sh", `echo run >> "${folder}/runs"`, `echo "$KUBERNETES_EXEC_INFO" > "${folder}/info"`];
  writeFileSync(file, [...script, `cat "${folder}/answer"`, ""].join("\n"));
  chmodSync(file, 0o755);
  return file;
}

describe("requests have the same credentials as those of the official client", () => {
  const cases: readonly { readonly name: string; readonly make: (folder: string) => Entries; readonly want: string }[] =
    [
      { name: "a token", make: () => ({ user: { token: "abc" } }), want: "Bearer abc |  | localhost | " },
      {
        name: "a password",
        make: () => ({ user: { username: "ana", password: "pw" } }),
        want: `Basic ${Buffer.from("ana:pw").toString("base64")} |  | localhost | `,
      },
      { name: "no user", make: () => ({}), want: " |  | localhost | " },
      {
        name: "a certificate in the file",
        make: () => ({
          user: { "client-certificate-data": base64("client.pem"), "client-key-data": base64("client.key") },
        }),
        want: " | client | localhost | ",
      },
      {
        name: "a certificate next to the file",
        make: (folder) => {
          mkdirSync(join(folder, "keys"));
          for (const name of ["client.pem", "client.key", "ca.pem"]) {
            writeFileSync(join(folder, "keys", name), readFileSync(join(fixtures, name)));
          }
          const cluster = { "certificate-authority-data": undefined, "certificate-authority": "keys/ca.pem" };
          return { cluster, user: { "client-certificate": "keys/client.pem", "client-key": "keys/client.key" } };
        },
        want: " | client | localhost | ",
      },
      {
        name: "another name for TLS",
        make: () => ({ cluster: { "tls-server-name": "api.test" }, user: { token: "abc" } }),
        want: "Bearer abc |  | api.test | ",
      },
      {
        name: "no check of the server",
        make: () => ({
          cluster: { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true },
          user: { token: "abc" },
        }),
        want: "Bearer abc |  | localhost | ",
      },
      {
        name: "a token of a plugin",
        make: (folder) => ({
          user: {
            exec: { apiVersion: "client.authentication.k8s.io/v1", command: makePlugin(folder, { token: "t" }) },
          },
        }),
        want: "Bearer t |  | localhost | ",
      },
      {
        name: "a certificate of a plugin",
        make: (folder) => {
          const [cert, key] = ["client.pem", "client.key"].map((name) => readFileSync(join(fixtures, name), "utf8"));
          const status = { clientCertificateData: cert, clientKeyData: key };
          return {
            user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: makePlugin(folder, status) } },
          };
        },
        want: " | client | localhost | ",
      },
    ];

  it.each(cases)("$name", async ({ make, want }) => {
    const folder = makeFolder();
    const { url, asked } = await startServer();
    const file = write(folder, url, make(folder));
    await askAsOurs(file);
    await askAsPeer(file);
    expect(asked).toEqual([`${path} | ${want}`, `${path} | ${want}`]);
  });
});

describe("what the official client does not do", () => {
  it("a token file wins over a token, and is found relative to its kubeconfig", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "token"), "from-file\n");
    const { url, asked } = await startServer();
    await askAsOurs(write(folder, url, { user: { token: "older", tokenFile: "token" } }));
    expect(asked).toEqual([`${path} | Bearer from-file |  | localhost | `]);
  });

  it("impersonation headers are sent", async () => {
    const { url, asked } = await startServer();
    await askAsOurs(write(makeFolder(), url, { user: { token: "t", as: "ana", "as-groups": ["ops", "dev"] } }));
    expect(asked).toEqual([`${path} | Bearer t |  | localhost | ana,ops, dev`]);
  });

  it("a plugin gets the cluster's data, and runs once for many requests", async () => {
    const folder = makeFolder();
    const { url } = await startServer();
    const command = makePlugin(folder, { token: "t" });
    const exec = { apiVersion: "client.authentication.k8s.io/v1", provideClusterInfo: true, command };
    await reviewAccess({ path: write(folder, url, { user: { exec } }) }, [right, right, right]);
    expect(readFileSync(join(folder, "runs"), "utf8")).toBe("run\n");
    expect(JSON.parse(readFileSync(join(folder, "info"), "utf8"))).toMatchObject({
      kind: "ExecCredential",
      spec: { interactive: false, cluster: { server: url, "certificate-authority-data": base64("ca.pem") } },
    });
  });

  it("all requests go through the proxy that the kubeconfig names", async () => {
    const { url, asked } = await startServer();
    const tunnels: string[] = [];
    const proxy = http.createServer().on("connect", (request, socket: Socket, head: Buffer) => {
      tunnels.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
      const [host = "", port = ""] = (request.url ?? "").split(":");
      const upstream = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      const closeBoth = (): void => void [upstream.destroy(), socket.destroy()];
      for (const end of [upstream, socket]) end.on("error", closeBoth);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      proxy.close();
      proxy.closeAllConnections();
    });
    const address = `http://me:pw@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await askAsOurs(write(makeFolder(), url, { cluster: { "proxy-url": address }, user: { token: "t" } }));
    expect(tunnels).toEqual([`${url.replace("https://", "")} Basic ${Buffer.from("me:pw").toString("base64")}`]);
    expect(asked).toEqual([`${path} | Bearer t |  | localhost | `]);
  });
});

describe("an untrusted server or an invalid file is refused", () => {
  it("a certificate of another authority", async () => {
    const { url, asked } = await startServer();
    const file = write(makeFolder(), url, {
      cluster: { "certificate-authority-data": undefined },
      user: { token: "t" },
    });
    await expect(reviewAccess({ path: file }, [right])).rejects.toThrow(/certificate/);
    expect(asked).toEqual([]);
  });

  const cases = [
    { name: "a server without TLS", cluster: { server: "http://k:1" }, want: /without TLS/ },
    { name: "a login before the host", cluster: { server: "https://me:secret@k:1" }, want: /without a login/ },
    { name: "no server", cluster: { server: "" }, want: /names no API server/ },
    {
      name: "a login method that was removed",
      user: { "auth-provider": { name: "gcp" } },
      want: /auth-provider gcp.*exec plugin/,
    },
    { name: "a proxy of another kind", cluster: { "proxy-url": "socks5://p:1" }, want: /proxy-url/, late: true },
    { name: "a field of another kind", user: { token: ["secret"] }, want: /users\.0\.user\.token/ },
  ];
  it.each(cases)("$name", async ({ cluster, user, want, late }) => {
    const file = write(makeFolder(), "https://127.0.0.1:1", {
      ...(cluster === undefined ? {} : { cluster }),
      ...(user === undefined ? {} : { user }),
    });
    const tried = late === true ? reviewAccess({ path: file }, [right]) : readServer({ path: file });
    const error: unknown = await tried.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(KubeconfigError);
    expect(String(error)).toMatch(want);
    expect(String(error)).not.toContain("secret");
  });

  it("a file that is not YAML: the error names the line, and does not quote it", async () => {
    const file = join(makeFolder(), "kubeconfig");
    writeFileSync(file, "users:\n- name: u\n  user: {token: secret\n");
    await expect(readServer({ path: file })).rejects.toThrow(/it is no YAML at line \d+, column \d+$/);
  });
});

describe("which file is read", () => {
  it("$KUBECONFIG may name several: the first that has an entry wins", async () => {
    const folder = makeFolder();
    const [one, two] = ["one", "two"].map((name) => {
      mkdirSync(join(folder, name));
      return write(join(folder, name), `https://${name}:1`, {});
    });
    vi.stubEnv("KUBECONFIG", [join(folder, "missing"), one, two].join(":"));
    expect(await readServer({})).toBe("https://one:1");
  });

  it("without any: the home folder's, then the pod's own, then an error that lists where it looked", async () => {
    const home = makeFolder();
    vi.stubEnv("KUBECONFIG", "");
    vi.stubEnv("HOME", home);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "");
    await expect(readServer({})).rejects.toThrow(/there is no kubeconfig/);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "fd00::1");
    vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
    expect(await readServer({})).toBe("https://[fd00::1]:443");
    mkdirSync(join(home, ".kube"));
    writeFileSync(join(home, ".kube", "config"), readFileSync(write(home, "https://home:1", {})));
    expect(await readServer({})).toBe("https://home:1");
  });
});
