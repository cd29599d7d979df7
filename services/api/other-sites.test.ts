import { describe, expect, it } from "vitest";

import { readConfig } from "#libs/runtime";

import { apiConfig } from "./config.ts";
import { openApi } from "./test-api.ts";

const paths = ["/", "/v1/status", "/v1/namespaces", "/v1/events", "/metrics", "/healthz", "/namespaces/shop"];

describe("a page of another site in a person's browser", () => {
  it.each([
    "evil.example.com",
    "evil.example.com:8080",
    "127.0.0.1.evil.example.com",
    "svc.evil.example",
    "a@127.0.0.1",
    "[::1",
  ])("that points its own name %j at the api reads nothing", async (host) => {
    const { inject } = await openApi({ names: ["meshroll.example.com"] });
    for (const url of paths) {
      const { statusCode, body } = await inject({ url, headers: { host } });
      expect([url, statusCode], body).toEqual([url, 421]);
    }
  });

  it("reads nothing and opens no stream by requests of its own; a link to the page is followed", async () => {
    const { inject, bus } = await openApi();
    await bus.bucket("status").put("fleet", "{}");
    const mode = (value: string) => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": value });
    for (const url of paths) {
      for (const value of ["cors", "no-cors", "websocket"]) {
        const { statusCode, headers } = await inject({ url, headers: mode(value) });
        expect([url, statusCode]).toEqual([url, 403]);
        expect(headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    expect((await inject({ url: "/", headers: mode("navigate") })).json()["error"]).toBe("PageNotBuilt");
  });

  it("gets no answer to a preflight, and no verb but GET finds a route", async () => {
    const { inject } = await openApi();
    for (const method of ["OPTIONS", "PUT", "DELETE", "PATCH", "POST"]) {
      const headers = { origin: "https://evil.example.com", "access-control-request-method": "POST" };
      const preflight = await inject({ method, url: "/v1/status", headers });
      const answer = await inject({ method, url: "/v1/status" });
      expect([method, preflight.statusCode, answer.statusCode]).toEqual([method, 403, 404]);
      const names = [...Object.keys(preflight.headers), ...Object.keys(answer.headers)];
      expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it.each([
    { name: "another host", origin: "https://evil.example.com" },
    { name: "the api's host at another port", origin: "http://127.0.0.1:3000" },
    { name: "the api's host without a port", origin: "http://127.0.0.1" },
    { name: "another name of the same machine", origin: "http://localhost:8080" },
    { name: "a file or a sandboxed frame", origin: "null" },
    { name: "an invalid origin", origin: "127.0.0.1:8080" },
  ])(
    "of $name says so by its Origin, also where the browser says nothing else, and reads nothing",
    async ({ origin }) => {
      const { inject } = await openApi();
      for (const url of paths) {
        const { statusCode } = await inject({ url, headers: { host: "127.0.0.1:8080", origin } });
        expect([url, statusCode]).toEqual([url, 403]);
      }
    },
  );

  it("at another name or port of the same site reads nothing; a link from there is followed", async () => {
    const { inject } = await openApi();
    const from = (mode: string) => ({ "sec-fetch-site": "same-site", "sec-fetch-mode": mode });
    for (const url of paths) {
      const { statusCode } = await inject({ url, headers: from("no-cors") });
      expect([url, statusCode]).toEqual([url, 403]);
    }
    expect((await inject({ url: "/", headers: from("navigate") })).json()["error"]).toBe("PageNotBuilt");
  });

  it.each(["iframe", "frame", "embed", "object", "fencedframe"])(
    "does not show the page in its own as %s",
    async (dest) => {
      const { inject } = await openApi();
      for (const site of ["cross-site", "same-site", "same-origin", "none"]) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": dest };
        expect([site, (await inject({ url: "/", headers })).statusCode]).toEqual([site, 403]);
      }
    },
  );

  it("may not frame any answer, and gets no handle of our window", async () => {
    const { inject } = await openApi();
    const asked = [
      ...paths.filter((url) => url !== "/v1/events").map((url) => ({ url })),
      { url: "/nothing" },
      { url: "/", headers: { host: "evil.example.com" } },
      { url: "/", headers: { origin: "https://evil.example.com" } },
    ];
    for (const each of asked) {
      const { headers } = await inject(each);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({ "x-frame-options": "DENY", "cross-origin-opener-policy": "same-origin" });
    }
  });
});

describe("the api", () => {
  it.each([
    "127.0.0.1:8080",
    "10.1.2.3",
    "[::1]:8080",
    "localhost",
    "meshroll-api:8080",
    "api.localhost",
    "api.mesh.svc",
    "api.mesh.svc.cluster.local",
    "Meshroll.example.com",
    "meshroll.example.com.:443",
  ])("answers by the name %s", async (host) => {
    const { inject } = await openApi({ names: ["meshroll.example.com"] });
    expect((await inject({ url: "/healthz", headers: { host } })).statusCode).toBe(200);
  });

  it("answers its own page, and a person who types its address", async () => {
    const { inject } = await openApi();
    const host = "127.0.0.1:8080";
    const asked = [
      { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
      { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      { origin: "http://127.0.0.1:8080" },
      { origin: "https://127.0.0.1:8080" },
      { origin: "http://Meshroll", host: "meshroll" },
      { origin: "https://meshroll", host: "meshroll:443" },
    ];
    for (const headers of asked) {
      const { statusCode } = await inject({ url: "/healthz", headers: { host, ...headers } as Record<string, string> });
      expect([headers, statusCode]).toEqual([headers, 200]);
    }
  });

  it("accepts webhooks under any name, because they are signed", async () => {
    const { inject } = await openApi();
    const headers = { host: "hooks.example.com", "content-type": "application/json" };
    const answer = await inject({ method: "POST", url: "/webhooks/github", headers, payload: "{}" });
    expect(answer.json()["error"]).toBe("Unsigned");
  });

  it("has configured names, and refuses texts that are no names", () => {
    const env = { MESHROLL_INSTALLATION: "a2f6b1c9a4d3", MESHROLL_NATS_URL: "nats://127.0.0.1:4222" };
    const read = (names: string) => readConfig(apiConfig, { ...env, MESHROLL_API_NAMES: names }).MESHROLL_API_NAMES;
    expect(read("Meshroll.example.com, mesh.internal")).toEqual(["meshroll.example.com", "mesh.internal"]);
    for (const names of ["https://meshroll.example.com", "*.example.com", "a:8080"])
      expect(() => read(names)).toThrow("must be names of hosts");
  });
});
