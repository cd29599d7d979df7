import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { carryOut, type Ec2State } from "./actions.ts";
import type { Params } from "./filters.ts";
import type { Ec2Machine, InstanceState } from "./instances.ts";
import { Refusal, throttled } from "./refusal.ts";
import { printRefusal } from "./xml.ts";

/** What goes wrong with a call. */
export type Ec2Fault = "throttled" | "unauthorized" | "error" | "reset" | "lost answer";

export interface Ec2Call {
  readonly action: string;
  /** 0 = no answer was sent. */
  readonly status: number;
  readonly code?: string;
}

export interface Ec2Options {
  /** Default: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** The access key that calls must be signed with. */
  readonly accessKeyId: string;
}

/** EC2 on this machine, with instances, their tags and two actions. */
export interface Ec2 {
  /** To be set as `AWS_ENDPOINT_URL_EC2`. */
  readonly url: string;
  /** The last calls, oldest first. */
  readonly calls: readonly Ec2Call[];
  /** Launches an instance. */
  run(machine: Omit<Ec2Machine, "state" | "tags">, tags: Readonly<Record<string, string>>): void;
  setState(id: string, state: InstanceState): void;
  /** As an hour after its end: EC2 does not know it any more. */
  remove(id: string): void;
  /** Tags as a person, or reads them as the instance itself does. */
  tags(id: string): Map<string, string>;
  /** The next lists show what is there now. */
  delayLists(answers: number): void;
  /** From now on; undefined ends it. `action` absent = all. */
  fail(fault: Ec2Fault | undefined, action?: string): void;
  /** Breaks every connection, and every new one until the answer is called. */
  refuseConnections(): () => void;
  close(): Promise<void>;
}

const mostCalls = 10_000;

async function readParams(request: IncomingMessage): Promise<Params> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new Map(new URLSearchParams(Buffer.concat(parts).toString()));
}

/** Signatures are not checked, but that there is one, of whom and for what. */
function checkSignature({ headers }: IncomingMessage, accessKeyId: string): void {
  const [, key, service] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request, /u.exec(headers.authorization ?? "") ??
    [];
  if (key === undefined)
    throw new Refusal(400, "MissingAuthenticationToken", "Request is missing authentication token");
  if (key !== accessKeyId || service !== "ec2")
    throw new Refusal(401, "AuthFailure", "AWS was not able to validate the provided access credentials");
}

function refuseFor(fault: Ec2Fault | undefined, action: string): void {
  if (fault === "throttled") throw throttled;
  if (fault === "error") throw new Refusal(500, "InternalError", "An internal error has occurred");
  if (fault !== "unauthorized") return;
  const why = `You are not authorized to perform this operation. User: executor is not authorized to perform: ec2:${action}`;
  throw new Refusal(403, "UnauthorizedOperation", `${why}. Encoded authorization failure message: ${"x".repeat(900)}`);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly code?: string;
}

function answerCall(work: () => string, requestId: string): Answer {
  try {
    return { status: 200, text: work() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, text: printRefusal(requestId, error), code: error.code };
  }
}

function copyMachines(machines: ReadonlyMap<string, Ec2Machine>): readonly Ec2Machine[] {
  return [...machines.values()].map((machine) => ({ ...machine, tags: new Map(machine.tags) }));
}

/** Starts the stand-in. */
export async function startEc2({ port = 0, accessKeyId }: Ec2Options): Promise<Ec2> {
  const state: Ec2State = { machines: new Map(), late: undefined };
  const calls: Ec2Call[] = [];
  let failing: { readonly fault: Ec2Fault; readonly action: string | undefined } | undefined;
  let refusing = 0;

  function record(call: Ec2Call): void {
    calls.push(call);
    if (calls.length > mostCalls) calls.shift();
  }

  function answerNothing(response: ServerResponse, action: string): void {
    record({ action, status: 0 });
    response.destroy();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const params = await readParams(request);
    const action = params.get("Action") ?? "";
    const isMeant = failing !== undefined && (failing.action ?? action) === action;
    const fault = isMeant ? failing?.fault : undefined;
    if (fault === "reset") return answerNothing(response, action);
    const requestId = randomUUID();
    const { status, text, code } = answerCall(() => {
      checkSignature(request, accessKeyId);
      refuseFor(fault, action);
      return carryOut(state, params, requestId);
    }, requestId);
    if (fault === "lost answer") return answerNothing(response, action);
    record({ action, status, ...(code === undefined ? {} : { code }) });
    response.writeHead(status, { "content-type": "text/xml;charset=UTF-8" }).end(text);
  }

  function requireMachine(id: string): Ec2Machine {
    const machine = state.machines.get(id);
    if (machine === undefined) throw new Error(`the sandbox has no instance ${id}`);
    return machine;
  }

  const server = createServer((request, response) => {
    // The client left in the middle, or the sandbox has a bug: this connection is over, and the caller sees it.
    serve(request, response).catch(() => answerNothing(response, "?"));
  });
  server.on("connection", (socket) => {
    if (refusing > 0) socket.destroy();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    run(machine, tags) {
      state.machines.set(machine.id, { ...machine, state: "running", tags: new Map(Object.entries(tags)) });
    },
    setState: (id, next) => void (requireMachine(id).state = next),
    remove: (id) => void state.machines.delete(id),
    tags: (id) => requireMachine(id).tags,
    delayLists: (answers) => void (state.late = { machines: copyMachines(state.machines), answers }),
    fail: (fault, action) => void (failing = fault === undefined ? undefined : { fault, action }),
    refuseConnections() {
      refusing += 1;
      server.closeAllConnections();
      let isOver = false;
      return () => {
        if (!isOver) refusing -= 1;
        isOver = true;
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
