import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { openRepository } from "./simple-git.ts";

/** A server without repositories, and the requests that it received: `GET /path login`. */
async function listen(host = "127.0.0.1"): Promise<{ readonly port: number; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const login = request.headers.authorization === undefined ? "without" : "with";
    heard.push(`${request.headers.host ?? ""} ${login}`);
    response.writeHead(404).end();
  }).listen(0, host);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, heard };
}

function makeHome(settings: string): string {
  const home = mkdtempSync(join(tmpdir(), "meshroll-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".gitconfig"), settings);
  return home;
}

/** A machine without settings and without a proxy. */
async function fetchFrom(url: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const proxies = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
  ];
  for (const name of proxies) vi.stubEnv(name, undefined);
  const home = makeHome("");
  for (const [name, value] of Object.entries({ HOME: home, XDG_CONFIG_HOME: home, ...env })) vi.stubEnv(name, value);
  const repository = await openRepository({ url, folder: join(home, "clone"), credentials: { token: "a-token" } });
  await expect(repository.fetch()).rejects.toThrow("fetching");
}

describe("the token of git", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each(["git.example.com", "localhost.example.com", "127.0.0.1.example.com", "LOCALHOST.example.com", "10.0.0.7"])(
    "goes to no other machine over plain http: %s",
    async (host) => {
      const wire = await listen();
      await fetchFrom(`http://${host}/a/b.git`, { http_proxy: `http://127.0.0.1:${wire.port}` });
      expect(wire.heard).toEqual([`${host} without`]);
    },
  );

  it.each([
    { host: "127.0.0.1", by: "127.0.0.1" },
    { host: "localhost", by: "127.0.0.1" },
    { host: "LocalHost", by: "127.0.0.1" },
    { host: "[::1]", by: "::1" },
  ])("goes over plain http to this machine: $host", async ({ host, by }) => {
    const server = await listen(by);
    await fetchFrom(`http://${host}:${server.port}/a/b.git`);
    expect(server.heard).toEqual([expect.stringMatching(/ with$/u)]);
  });

  it("is sent to this machine without the proxy, which would read it", async () => {
    const [proxy, server] = [await listen(), await listen()];
    await fetchFrom(`http://127.0.0.1:${server.port}/a/b.git`, {
      HOME: makeHome(`[http]\n\tproxy = http://127.0.0.1:${proxy.port}\n`),
      http_proxy: `http://127.0.0.1:${proxy.port}`,
    });
    expect({ proxy: proxy.heard, server: server.heard }).toEqual({
      proxy: [],
      server: [`127.0.0.1:${server.port} with`],
    });
  });

  it("is not sent where a setting replaces the address", async () => {
    const [named, other] = [await listen(), await listen()];
    const rule = `[url "http://127.0.0.1:${other.port}/"]\n\tinsteadOf = http://127.0.0.1:${named.port}/\n`;
    await fetchFrom(`http://127.0.0.1:${named.port}/a/b.git`, { HOME: makeHome(rule) });
    expect({ named: named.heard, other: other.heard }).toEqual({
      named: [],
      other: [`127.0.0.1:${other.port} without`],
    });
  });
});
