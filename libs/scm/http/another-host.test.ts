import { describe, expect, it, onTestFinished } from "vitest";

import { openScm } from "../config/open-scm.ts";
import type { Scm } from "../port/port.ts";
import { serveUntil } from "./test-server.ts";

function open(kind: "github" | "gitea", baseUrl: string): Scm {
  return openScm({ kind, baseUrl, owner: "acme", repo: "rollouts", token: "a-token-of-ours", retryBaseMs: 1 });
}

const kinds = ["github", "gitea"] as const;

describe.each(kinds)("a server in place of %s", (kind) => {
  it.each([301, 302, 307, 308])(
    "that redirects with %d: the other host hears nothing, a read or a write",
    async (status) => {
      const heard: string[] = [];
      const other = await serveUntil(onTestFinished, (request, response) => {
        heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
        response.end("{}");
      });
      const url = await serveUntil(
        onTestFinished,
        (_request, response) => void response.writeHead(status, { location: `${other}/x` }).end(),
      );
      const scm = open(kind, url);
      await expect(scm.permissionOf("ada")).rejects.toThrow(/redirects to http/);
      await expect(scm.addLabels(7, ["mesh"])).rejects.toThrow(/redirects to http/);
      expect(heard).toEqual([]);
    },
  );

  it("that redirects a write to itself gets the same write, and a circle of redirects ends", async () => {
    const heard: string[] = [];
    const url = await serveUntil(onTestFinished, (request, response) => {
      heard.push(`${request.method} ${request.url?.replace("/api/v1", "")} ${request.headers.authorization ?? ""}`);
      const isCircle = request.url?.includes("collaborators") === true;
      const isThere = !isCircle && (request.method === "GET" || request.url?.endsWith("/now") === true);
      response.writeHead(isThere ? 200 : 307, isThere ? {} : { location: isCircle ? request.url : "/now" }).end("[]");
    });
    // The server's answer is not a label, so the call fails; only the requests matter here.
    await Promise.allSettled([open(kind, url).addLabels(7, ["mesh"])]);
    const writes = heard.filter((each) => each.startsWith("POST"));
    expect(writes.map((each) => each.replace(/ \/repos.*labels/, " /labels"))).toEqual([
      "POST /labels token a-token-of-ours",
      "POST /now token a-token-of-ours",
    ]);
    await expect(open(kind, url).permissionOf("ada")).rejects.toThrow("redirects more than 3 times");
  });
});
