import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { openEc2Metadata } from "./ec2-metadata.ts";

interface Instance {
  /** Undefined: its tags are not in its metadata. */
  tags: Readonly<Record<string, string>> | undefined;
  /** The session that counts. */
  session: string;
  /** Answers nothing but this status. */
  status?: number;
  redirect?: string;
}

/** Answers as the instance metadata service, version 2, does. */
function answer(instance: Instance, { method, url = "", headers }: IncomingMessage): readonly [number, string] {
  if (instance.status !== undefined) return [instance.status, ""];
  if (method === "PUT" && url === "/latest/api/token")
    return headers["x-aws-ec2-metadata-token-ttl-seconds"] === "600" ? [200, instance.session] : [400, ""];
  if (headers["x-aws-ec2-metadata-token"] !== instance.session) return [401, ""];
  if (url === "/latest/meta-data/instance-id") return [200, "i-0123456789abcdef0"];
  return answerTags(instance, url);
}

function answerTags({ tags }: Instance, url: string): readonly [number, string] {
  const base = "/latest/meta-data/tags/instance";
  if (tags === undefined || !url.startsWith(base)) return [404, ""];
  if (url === base) return [200, Object.keys(tags).join("\n")];
  const value = new Map(Object.entries(tags)).get(url.slice(base.length + 1));
  return value === undefined ? [404, ""] : [200, value];
}

async function serve(tags: Instance["tags"]) {
  const instance: Instance = { tags, session: "session-1" };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (instance.redirect !== undefined) return void response.writeHead(302, { location: instance.redirect }).end();
    const [status, text] = answer(instance, request);
    response.writeHead(status).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  let now = 0;
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = openEc2Metadata(address, () => now);
  return { instance, requests, metadata, close, address, pass: (ms: number) => void (now += ms) };
}

const path = "GET /latest/meta-data/tags/instance/meshroll-revision";

describe("the tag of an EC2 instance", () => {
  const cases = [
    { name: "a revision", tags: { "meshroll-revision": "1-25-2" }, want: { kind: "revision", revision: "1-25-2" } },
    { name: "an empty tag", tags: { "meshroll-revision": "" }, want: { kind: "unset" } },
    { name: "other tags alone", tags: { Name: "web" }, want: { kind: "unset" } },
    {
      name: "no name of a revision",
      tags: { "meshroll-revision": "../x" },
      want: { kind: "unknown", why: "it is not the name of a revision" },
    },
    {
      name: "no tags in the metadata",
      tags: undefined,
      want: {
        kind: "unknown",
        why: "the instance's tags are not in its metadata: set InstanceMetadataTags=enabled",
      },
    },
  ];
  it.each(cases)("$name: $want.kind", async ({ tags, want }) => {
    const { metadata } = await serve(tags);
    expect(await metadata.read()).toEqual(want);
  });

  it("is asked for every ten seconds, in one session", async () => {
    const { metadata, requests, instance, pass } = await serve({ "meshroll-revision": "1-24-5" });
    await metadata.read();
    instance.tags = { "meshroll-revision": "1-25-2" };
    pass(9_999);
    expect(await metadata.read()).toMatchObject({ revision: "1-24-5" });
    pass(1);
    expect(await metadata.read()).toMatchObject({ revision: "1-25-2" });
    expect(requests).toEqual(["PUT /latest/api/token", path, path]);
  });

  it("a session that ended is followed by another", async () => {
    const { metadata, instance, pass } = await serve({ "meshroll-revision": "1-24-5" });
    await metadata.read();
    instance.session = "session-2";
    pass(10_000);
    expect(await metadata.read()).toMatchObject({ kind: "unknown" });
    pass(10_000);
    expect(await metadata.read()).toMatchObject({ revision: "1-24-5" });
  });

  it("a service that fails, or is away, changes nothing", async () => {
    const { metadata, instance, pass, close } = await serve({ "meshroll-revision": "1-24-5" });
    await metadata.read();
    instance.status = 500;
    pass(10_000);
    expect(await metadata.read()).toMatchObject({ kind: "unknown", why: expect.stringContaining("500") as string });
    close();
    pass(10_000);
    expect(await metadata.read()).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("does not answer") as string,
    });
  });

  it("a redirect is not followed", async () => {
    const { metadata, instance, requests, address } = await serve({ "meshroll-revision": "1-24-5" });
    instance.redirect = `${address}/elsewhere`;
    expect(await metadata.read()).toMatchObject({ kind: "unknown" });
    expect(requests).toEqual(["PUT /latest/api/token"]);
  });
});

describe("the id of an EC2 instance", () => {
  it("is read once, as soon as the service answers", async () => {
    const { metadata, instance, requests } = await serve(undefined);
    instance.status = 503;
    expect(await metadata.readId()).toBe(undefined);
    delete instance.status;
    expect(await metadata.readId()).toBe("i-0123456789abcdef0");
    const before = requests.length;
    expect(await metadata.readId()).toBe("i-0123456789abcdef0");
    expect(requests.length).toBe(before);
  });
});
