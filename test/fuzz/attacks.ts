import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { openFakeBus } from "#fakes/bus";

import { drawText, pick, type Random } from "./hostile.ts";
import { mutateJson, mutateMessage, mutateText } from "./mutate.ts";
import type { FuzzSetting } from "./setting.ts";

/** One hostile act on a fleet; returns a description for the report of a failure. */
export type Attack = (context: FuzzSetting, random: Random) => Promise<string>;

const events = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../libs/events/catalogue-samples.json", import.meta.url)), "utf8"),
) as Readonly<Record<string, { readonly type: string }>>;

const sampleRequest = {
  version: 1,
  id: "request-1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "mallory",
  why: "x",
  at: "2026-01-01T00:00:00.000Z",
};
const verbs = ["stop", "resume", "retry", "rollback"] as const;
/** Valid keys of the NATS buckets. */
const keys = [
  "state",
  "request.x",
  "request.constructor",
  "request.__proto__",
  "request.a_b-c",
  "one._",
  "one.shop-a",
  "two._",
  "fleet",
] as const;

async function putMessage(context: FuzzSetting, random: Random): Promise<string> {
  const sample = pick(random, context.samples);
  const key = random() < 0.7 ? sample.key : pick(random, keys);
  const value = mutateMessage(random, sample.value);
  await openFakeBus(context.flow.bus).bucket(sample.bucket).put(key, value);
  return `put ${sample.bucket} ${key} ${value.slice(0, 300)}`;
}

/** Puts a request that is valid or nearly valid: it must break nothing, and do only what requests may do. */
async function putRequest(context: FuzzSetting, random: Random): Promise<string> {
  const id = random() < 0.6 ? `request-${Math.floor(random() * 1e6)}` : drawText(random);
  const right = { ...sampleRequest, id, verb: pick(random, verbs), ...(random() < 0.3 ? { now: true } : {}) };
  const value =
    JSON.stringify(random() < 0.9 ? mutateJson(random, { ...right, scope: drawText(random) }) : right) ?? "";
  const key = /^[\w-]{1,200}$/.test(id) ? `request.${id}` : "request.odd";
  await openFakeBus(context.flow.bus).bucket("control").put(key, value);
  return `put ${key} ${value.slice(0, 300)}`;
}

async function publishEvent(context: FuzzSetting, random: Random): Promise<string> {
  const sample = pick(random, Object.values(events));
  const body = mutateMessage(random, JSON.stringify(sample));
  const subject = `meshroll.v1.${sample.type}`;
  await openFakeBus(context.flow.bus).publish(subject, body);
  return `publish ${subject} ${body.slice(0, 300)}`;
}

async function setConfigMap(context: FuzzSetting, random: Random): Promise<string> {
  const stop = {
    id: "s",
    scope: "all",
    strength: "move",
    who: "m",
    why: "w",
    at: sampleRequest.at,
    revertTo: "0".repeat(40),
    now: true,
  };
  const text = random() < 0.5 ? mutateMessage(random, JSON.stringify({ version: 1, ...stop })) : drawText(random);
  const name = pick(random, ["meshroll-recorded-stops", "meshroll-stop", "meshroll-other"]);
  const data = Object.fromEntries([
    [
      drawText(random)
        .slice(0, 200)
        .replaceAll(/[^-.\w]/g, "_") || "k",
      text,
    ],
  ]);
  context.flow.model("one").setConfigMap("meshroll-system", name, data);
  return `ConfigMap ${name} ${JSON.stringify(data).slice(0, 300)}`;
}

async function pushLedger(context: FuzzSetting, random: Random): Promise<string> {
  const { remote } = context.flow;
  const tree = remote.commit(remote.head("meshroll/ledger") ?? "")?.tree ?? new Map<string, unknown>();
  const path =
    random() < 0.8
      ? pick(random, [...tree.keys()])
      : pick(random, ["runs/x.json", "stops/constructor.json", "plans/x.tsv", "x"]);
  const before = tree.get(path);
  const text = mutateMessage(random, typeof before === "string" ? before : JSON.stringify(sampleRequest));
  remote.commitTo("meshroll/ledger", { files: { [path]: text }, author: "mallory", at: context.flow.clock.now() });
  return `ledger ${path} ${text.slice(0, 300)}`;
}

async function comment(context: FuzzSetting, random: Random): Promise<string> {
  const verb = pick(random, ["pause", "hold", "resume", "unhold", "rollback", "retry", "status", drawText(random)]);
  const body = mutateText(random, `/meshroll ${verb} ${random() < 0.5 ? drawText(random) : "INC-1"}`);
  const author = pick(random, ["mallory", "meshroll", "constructor", "__proto__"]);
  context.github.say(context.pull, { author, body, ...(random() < 0.3 ? { bot: true } : {}) });
  return `comment of ${author}: ${JSON.stringify(body.slice(0, 300))}`;
}

async function openPullRequest(context: FuzzSetting, random: Random): Promise<string> {
  const { remote } = context.flow;
  const main = remote.commit(remote.head("main") ?? "")?.tree ?? new Map<string, unknown>();
  const path = pick(random, [...main.keys(), "campaigns/x.yml", "campaigns/constructor.yml", "meshroll.yml"]);
  const before = main.get(path);
  const text = mutateText(random, typeof before === "string" ? before : "production:\n  old: 1\n  new: 99\n");
  const branch = random() < 0.7 ? `fuzz-${Math.floor(random() * 1e6)}` : `meshroll/shop/${Math.floor(random() * 1e6)}`;
  remote.commitTo(branch, {
    files: { [path]: text },
    author: "mallory",
    message: drawText(random).replaceAll("\0", "") || "x",
  });
  await context.github
    .as("mallory")
    .openPullRequest({ branch, base: "main", title: drawText(random), body: drawText(random) });
  return `pull request ${branch}: ${path} ${JSON.stringify(text.slice(0, 300))}`;
}

async function review(context: FuzzSetting, random: Random): Promise<string> {
  const author = pick(random, ["mallory", "meshroll", "constructor"]);
  context.github.review(context.pull, { author, state: "approved" });
  return `approval of ${author}`;
}

/** All attacks; the key is the value for `--only`. */
export const attacks: Readonly<Record<string, Attack>> = {
  bus: putMessage,
  asks: putRequest,
  events: publishEvent,
  configmaps: setConfigMap,
  ledger: pushLedger,
  comments: comment,
  pulls: openPullRequest,
  reviews: review,
};
