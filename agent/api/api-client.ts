import { isPrivate } from "#libs/input";
import { collectBytes } from "#libs/runtime";
import { z } from "zod";

/** Real ms for one request. */
const timeoutMs = 10_000;
/** Of an answer; they have a few hundred bytes. */
const mostBytes = 16 * 1024;

/** What became of a request. */
export type Answered<T> =
  | { readonly kind: "answered"; readonly value: T }
  /** The api refuses it, and will until a person changes something. */
  | { readonly kind: "refused"; readonly status: number; readonly why: string }
  /** No answer, or none for now. */
  | { readonly kind: "silent"; readonly why: string };

const pollSeconds = z.number().min(5).max(3600);
const registered = z.object({ credential: z.string().min(1).max(4096), pollSeconds });
const told = z.object({
  tag: z.string().max(256).nullable(),
  pollSeconds,
  /** In the place of the one that was sent. */
  credential: z.string().min(1).max(4096).exactOptional(),
});
const refusal = z.object({ error: z.string().max(64), message: z.string().max(1000) });

type Registered = z.infer<typeof registered>;
type Told = z.infer<typeof told>;

/** The api's routes for VMs. Never throws. */
export interface ApiClient {
  /** With a join token. */
  register(token: string, vm: { readonly name: string; readonly address: string }): Promise<Answered<Registered>>;
  /** With the credential; `body` is the report. */
  report(credential: string, body: string): Promise<Answered<Told>>;
}

/** Whether credentials may be sent to this address: by TLS, or within this machine. */
export function isApiAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isPrivate(url) && url.username === "" && url.password === "" && url.search === "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy, for example: it has not the form that is asked for.
    return undefined;
  }
}

function readAnswer<T>(form: z.ZodType<T>, status: number, text: string): Answered<T> {
  const value = parseJson(text);
  if (status === 200) {
    const read = form.safeParse(value);
    if (read.success) return { kind: "answered", value: read.data };
    return { kind: "silent", why: "it answers something that is no answer of meshroll's api" };
  }
  const { data } = refusal.safeParse(value);
  const why = `it answers ${status}${data === undefined ? "" : ` ${data.error}: ${data.message}`}`;
  const isForNow = status >= 500 || status === 429 || status < 400;
  return isForNow ? { kind: "silent", why } : { kind: "refused", status, why };
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** The api at this address, until `signal` aborts. Redirects are not followed: they could lead a credential elsewhere. */
export function openApiClient(address: string, signal: AbortSignal): ApiClient {
  const base = address.endsWith("/") ? address : `${address}/`;

  async function post<T>(path: string, bearer: string, body: string, form: z.ZodType<T>): Promise<Answered<T>> {
    try {
      const response = await fetch(new URL(path, base), {
        method: "POST",
        redirect: "error",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = (await collectBytes(response.body, mostBytes)).toString("utf8");
      return readAnswer(form, response.status, text);
    } catch (error) {
      return { kind: "silent", why: describe(error) };
    }
  }

  return {
    register: async (token, vm) => post("v1/vms/register", token, JSON.stringify(vm), registered),
    report: async (credential, body) => post("v1/vms/report", credential, body, told),
  };
}
