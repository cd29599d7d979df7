import { createHash } from "node:crypto";

import { AnswerTooLarge } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { readBanMs } from "./classify.ts";
import { createScmFetch } from "./scm-fetch.ts";
import { readPages } from "../github/pull-requests/read-pages.ts";
import { serveUntil } from "./test-server.ts";

describe("an answer of GitHub", () => {
  it("without an end is given up at the size limit", async () => {
    const url = await serveUntil(onTestFinished, (_request, response) => {
      const part = Buffer.alloc(1024 * 1024, 0x20);
      const more = (): void =>
        void (response.writable && (response.write(part) ? setImmediate(more) : response.once("drain", more)));
      more();
    });
    await expect(createScmFetch({ baseUrl: url, timeoutMs: 20_000 })(url)).rejects.toThrow(AnswerTooLarge);
  });

  it("is remembered within 64 MiB for all: the oldest is requested again", async () => {
    const asked: string[] = [];
    const body = "y".repeat(10 * 1024 * 1024);
    const url = await serveUntil(onTestFinished, (request, response) => {
      const isKnown = request.headers["if-none-match"] !== undefined;
      asked.push(`${request.url}${isKnown ? " known" : ""}`);
      response.writeHead(isKnown ? 304 : 200, { etag: `"${request.url}"` }).end(isKnown ? undefined : body);
    });
    const scmFetch = createScmFetch({ baseUrl: url, timeoutMs: 20_000 });
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) await scmFetch(`${url}/${name}`);
    asked.length = 0;
    expect(await (await scmFetch(`${url}/g`)).text()).toBe(body);
    expect((await scmFetch(`${url}/a`)).status).toBe(200);
    expect(asked).toEqual(["/g known", "/a"]);
  });

  it("is known to GitHub by another ETag for the next token of an App, and costs nothing then either", async () => {
    const seen: (number | undefined)[] = [];
    const url = await serveUntil(onTestFinished, (request, response) => {
      const { accept, authorization, "if-none-match": known } = request.headers;
      const etag = `W/"${createHash("sha256").update(`${accept}:${authorization}:[1]`).digest("hex")}"`;
      response.writeHead(known === etag ? 304 : 200, { etag }).end(known === etag ? undefined : "[1]");
      seen.push(response.statusCode);
    });
    const scmFetch = createScmFetch({ baseUrl: url, timeoutMs: 20_000 });
    for (const token of ["first", "first", "second", "second", "third"]) {
      const headers = { accept: "application/json", authorization: `token ${token}` };
      expect(await (await scmFetch(url, { headers })).text()).toBe("[1]");
    }
    expect(seen).toEqual([200, 304, 304, 304, 304]);
  });

  it("that is the same says by its header that other pages follow it now", async () => {
    const links: readonly (string | undefined)[] = [undefined, '</list?page=2>; rel="next"', undefined];
    let asked = 0;
    const url = await serveUntil(onTestFinished, (request, response) => {
      const link = links[asked];
      asked += 1;
      const isKnown = request.headers["if-none-match"] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"', ...(link === undefined ? {} : { link }) });
      response.end(isKnown ? undefined : "[1]");
    });
    const scmFetch = createScmFetch({ baseUrl: url, timeoutMs: 20_000 });
    const seen: (string | null)[] = [];
    for (const _ of links) seen.push((await scmFetch(url)).headers.get("link"));
    expect(seen).toEqual([null, links[1], links[1]]);
  });

  it("that is an endless list is given up after the page limit", async () => {
    const read = async () => ({ data: Array.from({ length: 100 }, () => ({})) });
    await expect(readPages("listing pull requests", read)).rejects.toThrow(
      "listing pull requests failed: the list has more than 30000 entries",
    );
  });

  it.each([
    { name: "a time to wait", headers: { "retry-after": "99999999" } },
    { name: "an end of the limit", headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999" } },
  ])("that names $name of years is queried again within little more than an hour", ({ headers }) => {
    const error = Object.assign(new Error("slow down"), { status: 429, response: { headers } });
    expect(readBanMs(error, Date.now())).toBeLessThanOrEqual(65 * 60_000);
  });
});
