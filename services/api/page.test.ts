import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { readPage } from "./page/read-page.ts";
import { openApi } from "./test-api.ts";

function build(): URL {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-page-ü "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>meshroll</title>");
  writeFileSync(join(folder, "main-1.js"), "0;".repeat(2000));
  writeFileSync(join(folder, "inputs.txt"), "no file of the page");
  return pathToFileURL(`${folder}/`);
}

describe("the page", () => {
  it.each(["/", "/?q=x", "/namespaces/team%20a", "/runs/0123456789ab", "/history"])(
    "%s is one document, under a policy without exceptions",
    async (path) => {
      const page = readPage(build());
      const { inject } = await openApi(page === undefined ? {} : { page });
      const answer = await inject(path);
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const policy = String(answer.headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer.headers["cache-control"]).toBe("no-store");
    },
  );

  it("has files that browsers cache for ever, and no others", async () => {
    const page = readPage(build());
    const { inject } = await openApi(page === undefined ? {} : { page });
    const script = await inject("/page/main-1.js");
    expect([script.statusCode, script.headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    for (const path of [
      "/page/inputs.txt",
      "/page/index.html",
      "/page/..%2fmain.ts",
      "/page/constructor",
      "/page/a/b",
    ]) {
      expect((await inject(path)).statusCode, path).toBe(404);
    }
  });

  it.each(["/", "/namespaces/team-a", "/runs/0123456789ab", "/page/main-1.js"])(
    "that is switched off answers %s by the variable that does so, and /v1/ stays",
    async (path) => {
      const { inject } = await openApi({ page: "off" });
      const answer = await inject(path);
      expect([answer.statusCode, answer.json()["error"]]).toEqual([404, "PageOff"]);
      expect(answer.json()["message"]).toContain("MESHROLL_API_PAGE=off");
      expect((await inject("/v1/status")).json()["error"]).toBe("StatusUnknown");
    },
  );

  it("that was not built names the command that builds it", async () => {
    const { inject } = await openApi();
    const answer = await inject("/");
    expect([answer.statusCode, answer.json()["error"]]).toEqual([503, "PageNotBuilt"]);
    expect(answer.json()["message"]).toContain("node scripts/page/build-page.mjs");
  });
});
