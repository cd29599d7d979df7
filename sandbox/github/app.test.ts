import { createSign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isListed } from "./http/app-rights.ts";
import type { GithubApp } from "./index.ts";
import { isAppPath } from "./routes/app.ts";
import { routes } from "./serve/router.ts";
import { makeApp, makeAppKeys } from "./test-app.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const [keys, others] = [makeAppKeys(), makeAppKeys()];

interface Claims {
  readonly iss?: unknown;
  readonly iat?: unknown;
  readonly exp?: unknown;
}

/** A web token, signed without any code of the product. */
function sign(claims: Claims, key = keys.privateKey, alg = "RS256"): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key).toString("base64url")}`;
}

describe("the App's endpoints", () => {
  let environment: TestEnvironment;
  let app: GithubApp;
  const now = (): number => Math.floor(Date.now() / 1000);
  const good = (): Claims => ({ iss: "7100", iat: now() - 30, exp: now() + 570 });

  beforeAll(async () => {
    app = makeApp(keys);
    environment = await startTestEnvironment({ ...oneFile, app });
  });
  afterAll(async () => environment.close());

  async function ask(token: string, method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${token}` };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${environment.github.url}${path}`, { method, headers, ...init });
    // eslint-disable-next-line typescript/no-explicit-any -- tests walk through foreign shapes; a wrong step fails them
    const answer: any = await response.json();
    return { status: response.status, headers: response.headers, body: answer };
  }
  const tokens = "/app/installations/42001/access_tokens";

  const refused: readonly { readonly name: string; readonly token: () => string; readonly want: string }[] = [
    { name: "no web token", token: () => "token-of-root", want: "A JSON web token could not be decoded" },
    {
      name: "another key's signature",
      token: () => sign(good(), others.privateKey),
      want: "A JSON web token could not be decoded",
    },
    {
      name: "another algorithm",
      token: () => sign(good(), keys.privateKey, "none"),
      want: "A JSON web token could not be decoded",
    },
    { name: "another App's id", token: () => sign({ ...good(), iss: "7101" }), want: "Integration not found" },
    {
      name: "a clock ten minutes behind",
      token: () => sign({ iss: "7100", iat: now() - 630, exp: now() - 30 }),
      want: "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    },
    {
      name: "a clock ten minutes ahead",
      token: () => sign({ iss: "7100", iat: now() + 570, exp: now() + 1170 }),
      want: "'Expiration time' claim ('exp') is too far in the future",
    },
    {
      name: "a clock a little ahead",
      token: () => sign({ iss: "7100", iat: now() + 30, exp: now() + 500 }),
      want: "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    },
  ];
  it.each(refused)("refuse $name in GitHub's words", async ({ token, want }) => {
    expect((await ask(token(), "GET", "/app")).body.message).toBe(want);
  });

  it("show the App and its installation only to a web token", async () => {
    expect((await ask(sign(good()), "GET", "/app")).body).toMatchObject({ id: 7100, slug: "meshroll" });
    const found = await ask(sign(good()), "GET", "/repos/acme/mesh/installation");
    expect(found.body).toMatchObject({ id: 42001, app_id: 7100, permissions: { contents: "write" } });
    expect((await ask(sign(good()), "GET", "/app/installations/1")).status).toBe(404);
    expect((await ask(sign(good()), "GET", "/repos/acme/mesh")).status).toBe(401);
  });

  it("make tokens with granted permissions only, and for the installation's repository only", async () => {
    const make = async (body: object) => ask(sign(good()), "POST", tokens, body);
    const narrow = await make({ repositories: ["mesh"], permissions: { contents: "read" } });
    expect(narrow.body).toMatchObject({ permissions: { contents: "read", metadata: "read" } });
    const read = await ask(narrow.body.token, "GET", "/repos/acme/mesh/branches/main");
    expect(read.status).toBe(200);
    const write = await ask(narrow.body.token, "POST", "/repos/acme/mesh/statuses/x", { state: "success" });
    expect([write.status, write.body.message]).toEqual([403, "Resource not accessible by integration"]);
    expect(write.headers.get("x-accepted-github-permissions")).toBe("statuses=write");
    expect((await ask(narrow.body.token, "GET", "/user")).status).toBe(403);
    expect((await ask(narrow.body.token, "GET", "/app")).status).toBe(401);
    expect((await make({ permissions: { administration: "read" } })).body.message).toMatch(/are not granted/u);
    expect((await make({ repositories: ["other"] })).body.message).toMatch(
      /not accessible to the parent installation/u,
    );
    app.suspended = true;
    expect((await make({})).body.message).toBe("This installation has been suspended");
    expect((await ask(narrow.body.token, "GET", "/repos/acme/mesh")).status).toBe(403);
    app.suspended = false;
  });

  it("refuse a token that has expired", async () => {
    let at = Math.floor(Date.now() / 1000) * 1000;
    app.clock = () => at;
    const { token, expires_at: end } = (await ask(sign(good()), "POST", tokens, {})).body;
    expect(Date.parse(end) - at).toBeGreaterThan(3_598_000);
    expect((await ask(token, "GET", "/repos/acme/mesh")).status).toBe(200);
    at += 3_600_001;
    expect((await ask(token, "GET", "/repos/acme/mesh")).body.message).toBe("Bad credentials");
    delete app.clock;
  });

  it("have the required permissions of each operation", () => {
    const open = routes.map(({ operation }) => operation);
    const judged = open.filter((operation) => !isAppPath(operation.split(" ")[1] ?? ""));
    expect(judged.filter((operation) => !isListed(operation))).toEqual([]);
  });
});
