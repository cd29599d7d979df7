import type { TokenSource } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { createLimits } from "../../http/limits.ts";
import { createOctokit } from "./create-octokit.ts";
import { serveUntil } from "../../http/test-server.ts";

const source: TokenSource = { give: async () => "an-apps-token", drop: () => undefined };

/** A client of one server, and the requests that another one received. */
async function openBoth(
  answer: (other: string) => { readonly headers: Record<string, string>; readonly body: object },
) {
  const heard: string[] = [];
  const other = await serveUntil(onTestFinished, (request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  const url = await serveUntil(onTestFinished, (_request, response) => {
    const { headers, body } = answer(other);
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  const place = { baseUrl: url, owner: "acme", repo: "rollouts", retryBaseMs: 1 };
  return {
    heard,
    other,
    clients: [source, "a-token-that-lasts"].map((token) => createOctokit({ ...place, token }, createLimits("GitHub"))),
  };
}

describe("a token, permanent or an App's, is sent only to the configured API", () => {
  it("when an answer names another host's address for the next request", async () => {
    const { heard, other, clients } = await openBoth((host) => ({
      headers: {},
      body: { upload_url: `${host}/up{?name}` },
    }));
    for (const octokit of clients) {
      const { data } = await octokit.request("GET /repos/acme/rollouts/releases/1");
      const { upload_url: uploads } = data as { readonly upload_url: string };
      await expect(octokit.request(`POST ${uploads}`, { name: "x" })).rejects.toThrow(`${other} is not`);
      await expect(octokit.request(`GET ${other}/user`)).rejects.toThrow(`${other} is not`);
    }
    expect(heard).toEqual([]);
  });

  it("and when the next page of a list is on another host", async () => {
    const { heard, other, clients } = await openBoth((host) => ({
      headers: { link: `<${host}/next?page=2>; rel="next"` },
      body: [],
    }));
    for (const octokit of clients) {
      const list = octokit.paginate("GET /repos/acme/rollouts/pulls");
      await expect(list).rejects.toThrow(`${other} is not`);
    }
    expect(heard).toEqual([]);
  });
});
