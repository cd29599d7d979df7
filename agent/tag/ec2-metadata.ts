import { collectBytes } from "#libs/runtime";

import type { Tag } from "../decide/facts.ts";
import { parseTag } from "./parse-tag.ts";
import type { TagSource } from "./port.ts";

/** The tag of an instance that holds its revision. */
const tagName = "meshroll-revision";
/** Real ms for one request. */
const timeoutMs = 1000;
/** Ms for which an answer is used: the service limits how often it is asked. */
const keptMs = 10_000;
/** Seconds for which a session is asked for, and ms for which it is used. */
const sessionSeconds = 600;
const sessionMs = 540_000;
const mostBytes = 4096;

interface Got {
  readonly status: number;
  readonly text: string;
}

/** The instance metadata service of EC2, version 2. */
export interface Ec2Metadata extends TagSource {
  /** The id of this instance; undefined while the service does not answer. */
  readId(): Promise<string | undefined>;
}

function explain(error: unknown): string {
  const { message, cause } = error as Error;
  return `EC2's metadata service does not answer: ${cause instanceof Error ? cause.message : message}`;
}

/** `monotonic`: ms. */
export function openEc2Metadata(address: string, monotonic: () => number): Ec2Metadata {
  const base = address.endsWith("/") ? address : `${address}/`;
  let session: { readonly token: string; readonly at: number } | undefined;
  let kept: { readonly tag: Tag; readonly at: number } | undefined;
  let id: string | undefined;

  async function request(path: string, method: "GET" | "PUT", headers: Readonly<Record<string, string>>): Promise<Got> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(new URL(path, base), { method, headers, redirect: "error", signal });
    return { status: response.status, text: (await collectBytes(response.body, mostBytes)).toString("utf8") };
  }

  async function openSession(): Promise<string> {
    if (session !== undefined && monotonic() - session.at < sessionMs) return session.token;
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": String(sessionSeconds) };
    const { status, text } = await request("latest/api/token", "PUT", ttl);
    if (status !== 200 || !/^[\u0021-\u007E]+$/u.test(text)) throw new Error(`it gives no session (${status})`);
    session = { token: text, at: monotonic() };
    return text;
  }

  async function get(path: string): Promise<Got> {
    const token = await openSession();
    const got = await request(`latest/meta-data/${path}`, "GET", { "x-aws-ec2-metadata-token": token });
    // The session has ended, as after a restored snapshot: the next look opens another.
    if (got.status === 401) session = undefined;
    return got;
  }

  async function readTag(): Promise<Tag> {
    const { status, text } = await get(`tags/instance/${tagName}`);
    if (status === 200) return parseTag(text);
    if (status !== 404) return { kind: "unknown", why: `EC2's metadata service answers ${status}` };
    // An instance without tags in its metadata answers 404, too.
    if ((await get("tags/instance")).status === 200) return { kind: "unset" };
    return { kind: "unknown", why: "the instance's tags are not in its metadata: set InstanceMetadataTags=enabled" };
  }

  return {
    async read() {
      if (kept !== undefined && monotonic() - kept.at < keptMs) return kept.tag;
      const tag = await readTag().catch((error: unknown): Tag => ({ kind: "unknown", why: explain(error) }));
      kept = { tag, at: monotonic() };
      return tag;
    },
    async readId() {
      if (id !== undefined) return id;
      const got = await get("instance-id").catch(() => undefined);
      // Without an answer it is asked again.
      id = got?.status === 200 && /^i-[0-9a-f]{8,32}$/u.test(got.text) ? got.text : undefined;
      return id;
    },
  };
}
