import { listInstallations, openBus } from "#libs/bus";
import { connect } from "@nats-io/transport-node";
import { testInstallation } from "#libs/input";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { dialAs, openAs } from "./broker-logins.ts";
import { useOwnBroker } from "./own-broker.ts";

const other = "othermeshrol";
const nats = useOwnBroker("nats", ["east", "west"], other);
const open = async (login: string) => openAs(nats(), login);
const dial = async (login: string) => dialAs(nats(), login);
const others = ["executor-east", "executor-west", "notifier", "api", "cli"] as const;

describe("ways to bypass the rights of NATS", () => {
  /** Reads a key as the operator. */
  async function read(bucket: "control" | "status" | "inventory", key: string): Promise<string | undefined> {
    return (await (await open("operator")).bucket(bucket).get(key))?.value;
  }

  it("an answer with another login's key as its reply subject is not written there", async () => {
    const operator = await open("operator");
    await operator.bucket("status").put("told.slack.x", '{"version":1,"verb":"resume"}');
    const nc = await dial("notifier");
    const subject = "$JS.API.DIRECT.GET.KV_status-testmeshroll.$KV.status-testmeshroll.told.slack.x";
    for (const reply of [
      "$KV.control-testmeshroll.request.forged",
      "$KV.status-testmeshroll.answer.forged",
      "$KV.inventory-testmeshroll.west.forged",
    ]) {
      nc.publish(subject, "", { reply });
    }
    await nc.flush();
    expect(await read("control", "request.forged")).toBe(undefined);
    expect(await read("status", "answer.forged")).toBe(undefined);
    expect(await read("inventory", "west.forged")).toBe(undefined);
  });

  const targets = [
    "$KV.control-testmeshroll.request.forged",
    "$KV.control-testmeshroll.state",
    "$KV.inventory-testmeshroll.west._",
    "$KV.status-testmeshroll.fleet",
  ];
  it.each(targets)("a consumer that delivers to %s cannot write there", async (target) => {
    const [, bucket = "", ...key] = target.split(".");
    const place = [bucket.replace(`-${testInstallation}`, "") as "control", key.join(".")] as const;
    const operator = await open("operator");
    await operator.bucket(place[0]).put(place[1], "true");
    const nc = await dial("executor-east");
    const config = {
      name: "evil",
      filter_subject: "$KV.inventory-testmeshroll.east.*",
      deliver_subject: target,
      deliver_policy: "all",
      ack_policy: "none",
    };
    nc.publish("$KV.inventory-testmeshroll.east.evil", "forged");
    const subject = "$JS.API.CONSUMER.CREATE.KV_inventory-testmeshroll.evil.$KV.inventory-testmeshroll.east.*";
    const body = JSON.stringify({ stream_name: "KV_inventory-testmeshroll", config });
    // The server may accept this: it delivers only inside the account that holds the inventory.
    await nc.request(subject, body, { timeout: 30_000 });
    await nc.request("$JS.API.CONSUMER.INFO.KV_inventory-testmeshroll.evil", "", { timeout: 30_000 });
    expect(await read(...place)).toBe("true");
  });

  const foreign = ["planner", "executor-east", "notifier", "api", "cli", "operator"];
  it.each(foreign)(
    "%s of another installation can neither read nor write nor create anything of this one",
    async (login) => {
      const nc = await dial(`${login}-of-${other}`);
      const subjects = [
        "$KV.control-testmeshroll.state",
        "$KV.control-testmeshroll.request.forged",
        "$KV.status-testmeshroll.fleet",
        "$KV.inventory-testmeshroll.east._",
        "meshroll.testmeshroll.v1.run.v1.done",
        "$JS.API.STREAM.INFO.KV_control-testmeshroll",
        "$JS.API.STREAM.CREATE.KV_control-testmeshroll",
        "$JS.API.STREAM.DELETE.MESHROLL-testmeshroll",
        "$JS.API.DIRECT.GET.KV_control-testmeshroll.$KV.control-testmeshroll.state",
      ];
      for (const subject of subjects) {
        await expect(nc.request(subject, "{}", { timeout: 30_000 })).rejects.toThrow(
          /Permissions Violation|no responders/,
        );
      }
    },
  );

  it("a consumer of another installation that delivers to a key of this one cannot write there", async () => {
    const planner = await openBus({
      installation: other,
      url: nats().urlOf(`planner-of-${other}`),
      name: "test",
      createsStorage: true,
    });
    onTestFinished(async () => planner.close());
    await (await open("operator")).bucket("control").put("request.forged", "true");
    await vi.waitFor(async () => planner.bucket("control").put("state", "forged"), { timeout: 60_000 });
    const nc = await dial(`operator-of-${other}`);
    const config = {
      name: "evil",
      filter_subject: `$KV.control-${other}.>`,
      deliver_subject: "$KV.control-testmeshroll.request.forged",
      deliver_policy: "all",
      ack_policy: "none",
    };
    const body = JSON.stringify({ stream_name: `KV_control-${other}`, config });
    await nc.request(`$JS.API.CONSUMER.CREATE.KV_control-${other}.evil.$KV.control-${other}.>`, body);
    await nc.request(`$JS.API.CONSUMER.INFO.KV_control-${other}.evil`, "");
    expect(await read("control", "request.forged")).toBe("true");
  });

  it("the list of installations has only this one, because each has its own account", async () => {
    await (await open("operator")).bucket("status").put("fleet", "{}");
    expect((await listInstallations(nats().urlOf("cli"))).map(({ id }) => id)).toEqual([testInstallation]);
  });

  it("another login can neither delete nor change the notifiers' shared consumer", async () => {
    const nc = await dial("api");
    for (const verb of ["DELETE", "CREATE", "INFO", "MSG.NEXT"]) {
      const asked = nc.request(`$JS.API.CONSUMER.${verb}.MESHROLL-testmeshroll.notifier-slack`, "{}", {
        timeout: 30_000,
      });
      await expect(asked).rejects.toThrow("Permissions Violation");
    }
  });

  it.each(["planner", "executor-east", "notifier", "api", "cli"])(
    "%s receives neither the answers nor the messages of others",
    async (login) => {
      const nc = await dial(login);
      const refused: string[] = [];
      for (const subject of [">", "_INBOX.>", "_INBOX_operator.>", "$KV.>", "$JS.>", "meshroll.testmeshroll.v1.>"]) {
        nc.subscribe(subject, { callback: (error) => void (error !== null && refused.push(subject)) });
      }
      await nc.flush();
      expect(refused).toHaveLength(6);
    },
  );

  it("only the planner creates buckets and the stream", async () => {
    for (const login of others) {
      const nc = await dial(login);
      const made = nc.request("$JS.API.STREAM.CREATE.KV_control-testmeshroll", "{}", { timeout: 30_000 });
      await expect(made).rejects.toThrow("Permissions Violation");
    }
  });

  it("before anything is created the others wait with a named cause, and continue once the planner has started", async () => {
    const nc = await dial("operator");
    for (const name of ["KV_control-testmeshroll", "MESHROLL-testmeshroll"])
      await nc.request(`$JS.API.STREAM.DELETE.${name}`, "");
    const [executor, cli] = [await open("executor-east"), await open("cli")];
    const calls: string[] = [];
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const watcher = {
      onEntry: ({ key }: { readonly key: string }) => void calls.push(key),
      onReset: () => void calls.push("reset"),
      onReady: () => void calls.push("ready"),
    };
    await executor.bucket("control").watch(">", watcher, stop.signal);
    expect(calls).toEqual(["ready"]);
    expect(await cli.bucket("control").get("state")).toBe(undefined);
    const told1 = executor.publish("meshroll.v1.batch.v1.ended", "{}");
    await vi.waitFor(() => expect(executor.trouble()).toMatchObject({ code: "BusNotMade", owner: "planner" }));
    const url = nats().urlOf("planner");
    const planner = await openBus({ installation: testInstallation, url, name: "test", createsStorage: true });
    onTestFinished(async () => planner.close());
    await told1;
    expect(executor.trouble()).toBe(undefined);
    await planner.bucket("control").put("state", "new");
    await vi.waitFor(() => expect(calls).toContain("state"), { timeout: 60_000 });
  });

  it.each(["planner", "executor-east", "no-such-login"])(
    "%s with a wrong password is refused by name",
    async (login) => {
      const url = `nats://${login}:wrong@${new URL(nats().url).host}`;
      const faults: string[] = [];
      const bus = await openBus({
        installation: testInstallation,
        url,
        name: "test",
        patient: true,
        onFault: (fault) => faults.push(fault),
      });
      onTestFinished(async () => bus.close());
      expect(bus.isConnected()).toBe(false);
      expect(bus.trouble()).toMatchObject({ code: "BusLoginRefused", owner: "NATS" });
      expect(faults.join("\n")).toContain("BusLoginRefused: NATS at ");
      expect(faults).toHaveLength(1);
    },
  );

  it("a connection without a login is refused", async () => {
    await expect(connect({ servers: new URL(nats().url).host })).rejects.toThrow("Authorization Violation");
  });
});
