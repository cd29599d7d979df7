import { nameVmKey, printVmReport, printVmTag } from "#libs/events";
import type { VmReport } from "#libs/fleet";
import { printCredential, printJoinToken } from "#libs/vms";
import { describe, expect, it } from "vitest";

import { openApi, type Opened } from "./test-api.ts";

const key = "5f0c2f4bd9e1a7c3b6d8e2f1a4c7b9d0";
const older = "0d9b7c4a1f2e8d6b3c7a1e9db4f2c0f5";
const group = { cluster: "east", namespace: "shop", name: "web" };
const vm = { group, name: "vm-1" };
const hour = 3_600_000;

const said: VmReport = {
  at: "2026-11-28T12:00:00.000Z",
  agent: "0.2.0",
  address: "10.0.0.7",
  tag: null,
  revision: "1-24-5",
  attempted: null,
  inProgress: false,
  ready: true,
  code: "TagUnset",
  message: "it has no tag",
};

async function openWithVms(vmKeys: readonly string[] = [key]) {
  const opened = await openApi({ vmKeys });
  await opened.clock.settle();
  const token = printJoinToken(vmKeys[0] ?? key, { group, expires: opened.clock.now() + hour });
  const post = async (path: string, bearer: string | undefined, payload: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const answer = await opened.inject({ method: "POST", url: `/v1/vms/${path}`, headers, payload });
    await opened.clock.settle();
    return { status: answer.statusCode, ...answer.json() };
  };
  const register = async (name = "vm-1", bearer = token) =>
    post("register", bearer, JSON.stringify({ name, address: "10.0.0.7" }));
  const join = async (name?: string) =>
    String(((await register(name)) as Readonly<Record<string, unknown>>)["credential"]);
  const report = async (bearer: string, more: Partial<VmReport> = {}) =>
    post("report", bearer, printVmReport({ ...said, ...more }));
  const stored = async (of = vm) => (await opened.bus.bucket("vms").get(nameVmKey("reports", of)))?.value;
  return { ...opened, token, post, register, join, report, stored };
}

async function setTag({ bus, clock }: Opened, revision: string): Promise<void> {
  await bus.bucket("vms").put(nameVmKey("tags", vm), printVmTag({ revision, at: 1 }));
  await clock.settle();
}

const minute = (count: number): string => `2026-11-28T12:${String(count).padStart(2, "0")}:00.000Z`;

describe("an agent registers and reports", () => {
  it("with a join token it gets a credential, with that its tag, and its report is on the bus", async () => {
    const api = await openWithVms();
    const credential = await api.join();
    expect(await api.report(credential)).toEqual({ status: 200, tag: null, pollSeconds: 30 });
    await setTag(api, "1-25-2");
    expect(await api.report(credential)).toEqual({ status: 200, tag: "1-25-2", pollSeconds: 30 });
    expect(JSON.parse((await api.stored()) ?? "")).toMatchObject({ version: 1, ...said });
    await api.bus.bucket("vms").delete(nameVmKey("tags", vm));
    await api.clock.settle();
    expect(await api.report(credential)).toMatchObject({ tag: null });
  });

  it("reads no tag and writes no report but its own", async () => {
    const api = await openWithVms();
    await setTag(api, "1-25-2");
    expect(await api.report(await api.join("vm-2"))).toMatchObject({ status: 200, tag: null });
    expect(await api.stored()).toBe(undefined);
    expect(await api.stored({ group, name: "vm-2" })).not.toBe(undefined);
  });

  it("a wiped bus loses nothing: the credential holds, and the report is written again at once", async () => {
    const api = await openWithVms();
    const credential = await api.join();
    await api.report(credential);
    api.busServer.wipe();
    await api.clock.settle();
    expect(await api.report(credential, { at: minute(1) })).toMatchObject({ status: 200, tag: null });
    expect(JSON.parse((await api.stored()) ?? "")).toMatchObject({ at: minute(1) });
  });

  it("text of a hostile agent is cleaned before it is kept", async () => {
    const api = await openWithVms();
    const message = `\u001B[2J\u202Ered\nline nats://me:hunter22@10.0.0.1 ${"x".repeat(1000)}`;
    await api.report(await api.join(), { message });
    const { message: kept } = JSON.parse((await api.stored()) ?? "") as { readonly message: string };
    expect(kept).not.toMatch(/[\u001B\u202E\n]|hunter22/u);
    expect(kept.length).toBeLessThan(420);
  });
});

describe("how often a report is written", () => {
  const cases = [
    { name: "only its time changed within 20 s", afterMs: 19_000, more: {}, wantWritten: false },
    { name: "only its time changed, after 20 s", afterMs: 20_000, more: {}, wantWritten: true },
    { name: "its readiness changed", afterMs: 0, more: { ready: false }, wantWritten: true },
    { name: "its reason changed", afterMs: 0, more: { code: "Settling" }, wantWritten: true },
  ];
  it.each(cases)("$name: written $wantWritten", async ({ afterMs, more, wantWritten }) => {
    const api = await openWithVms();
    const credential = await api.join();
    await api.report(credential, { at: minute(0) });
    await api.clock.advance(afterMs);
    await api.report(credential, { at: minute(1), ...more });
    expect(JSON.parse((await api.stored()) ?? "")).toMatchObject({ at: minute(wantWritten ? 1 : 0) });
  });
});

describe("two machines of one name", () => {
  it("the second one gets no credential while the first reports, and one once it was silent for 90 s", async () => {
    const api = await openWithVms();
    const first = await api.join();
    await api.report(first);
    await api.clock.advance(89_000);
    expect(await api.register()).toMatchObject({ status: 409, error: "NameInUse" });
    await api.clock.advance(1000);
    const second = await api.join();
    expect(await api.report(second, { at: minute(2) })).toMatchObject({ status: 200 });
    expect(await api.report(first, { at: minute(3) })).toMatchObject({ status: 409, error: "NameInUse" });
    expect(JSON.parse((await api.stored()) ?? "")).toMatchObject({ at: minute(2) });
  });

  it("also an api that has just started lets no second one take a name that may be in use", async () => {
    const api = await openWithVms();
    await api.bus.bucket("vms").put(nameVmKey("reports", vm), printVmReport(said, "the-first"));
    await api.clock.settle();
    expect(await api.register()).toMatchObject({ status: 409 });
    const second = printCredential(key, { vm, id: "the-second" });
    expect(await api.report(second)).toMatchObject({ status: 409, error: "NameInUse" });
    const first = printCredential(key, { vm, id: "the-first" });
    expect(await api.report(first)).toMatchObject({ status: 200 });
  });
});

describe("what is refused", () => {
  it("without a key there are no such routes, and the answer says what to set", async () => {
    const api = await openWithVms([]);
    for (const path of ["register", "report"])
      expect(await api.post(path, api.token, "{}")).toMatchObject({
        status: 404,
        error: "VmsOff",
        message: expect.stringContaining("MESHROLL_API_VM_KEY") as string,
      });
  });

  const bearers = [
    { path: "register", name: "no token", bearer: undefined, want: "JoinTokenUnknown" },
    {
      path: "register",
      name: "a credential",
      bearer: printCredential(key, { vm, id: "x".repeat(8) }),
      want: "JoinTokenUnknown",
    },
    {
      path: "register",
      name: "a token of another key",
      bearer: printJoinToken(older, { group, expires: 9e12 }),
      want: "JoinTokenUnknown",
    },
    {
      path: "register",
      name: "an expired token",
      bearer: printJoinToken(key, { group, expires: 0 }),
      want: "JoinTokenExpired",
    },
    { path: "report", name: "no token", bearer: undefined, want: "CredentialUnknown" },
    {
      path: "report",
      name: "a join token",
      bearer: printJoinToken(key, { group, expires: 9e12 }),
      want: "CredentialUnknown",
    },
    {
      path: "report",
      name: "a credential of another key",
      bearer: printCredential(older, { vm, id: "x".repeat(8) }),
      want: "CredentialUnknown",
    },
  ];
  it.each(bearers)("$path with $name: $want", async ({ path, bearer, want }) => {
    const api = await openWithVms();
    expect(await api.post(path, bearer, "{}")).toMatchObject({ status: 401, error: want });
  });

  const bodies = [
    { path: "register", name: "no JSON", body: "{", want: [400, "BadName"] },
    { path: "register", name: "no name", body: '{"address":"10.0.0.1"}', want: [400, "BadName"] },
    {
      path: "register",
      name: "a field too many",
      body: '{"name":"a","address":"b","group":"c"}',
      want: [400, "BadName"],
    },
    {
      path: "register",
      name: "a name that leaves its key",
      body: '{"name":"../x","address":"b"}',
      want: [400, "BadName"],
    },
    { path: "register", name: "more than 8 KiB", body: " ".repeat(8193), want: [413, "TooLarge"] },
    { path: "report", name: "no JSON", body: "nothing", want: [400, "BadReport"] },
    {
      path: "report",
      name: "a report of another version",
      body: JSON.stringify({ ...said, version: 2 }),
      want: [400, "BadReport"],
    },
    {
      path: "report",
      name: "a code that is no word",
      body: printVmReport({ ...said, code: "<b>" }),
      want: [400, "BadReport"],
    },
    { path: "report", name: "more than 8 KiB", body: " ".repeat(8193), want: [413, "TooLarge"] },
  ];
  it.each(bodies)("$path of $name: $want", async ({ path, body, want }) => {
    const api = await openWithVms();
    const bearer = path === "register" ? api.token : await api.join();
    const answer = await api.post(path, bearer, body);
    expect(answer).toMatchObject({ status: want[0], error: want[1] });
  });

  it("while the bus is away nothing is answered, so that agents keep their tags", async () => {
    const api = await openWithVms();
    const credential = await api.join();
    await setTag(api, "1-25-2");
    api.busServer.disconnect();
    expect(await api.report(credential)).toMatchObject({ status: 503, error: "BusUnavailable" });
    expect(await api.register("vm-2")).toMatchObject({ status: 503, error: "BusUnavailable" });
    api.busServer.connect();
    await api.clock.settle();
    expect(await api.report(credential)).toMatchObject({ status: 200, tag: "1-25-2" });
  });
});

describe("a change of keys", () => {
  it("a credential of the key before holds, and is replaced by one of the newest", async () => {
    const api = await openWithVms([key, older]);
    const before = printCredential(older, { vm, id: "the-first" });
    const answer = await api.report(before);
    expect(answer).toMatchObject({ status: 200, credential: printCredential(key, { vm, id: "the-first" }) });
  });
});
