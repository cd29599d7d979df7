import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { renderKubeconfig } from "#sandbox/kube";
import { afterEach, describe, expect, inject, it } from "vitest";

import { useOwnBroker } from "../../integration/own-broker.ts";
import type { RealFleet } from "../../integration/fleet/real-fleet.ts";
import { folderOfPages, readCommands, readYaml } from "./page.ts";
import { playServices } from "./play-services.ts";
import { Reader } from "./reader.ts";
import { approveAndMerge, countOn, describeGithub, startWorld } from "./world.ts";

const installed = inject("installed");
const redis = useOwnBroker("redis", ["one"]);
const nats = useOwnBroker("nats", ["one"]);

let fleet: RealFleet | undefined;
let reader: Reader | undefined;
afterEach(async () => {
  await reader?.leave();
  await fleet?.end();
  [fleet, reader] = [undefined, undefined];
});

const printRollouts = (production: number, staging: number): string =>
  `production:\n  1-24-5: ${100 - production}\n  1-25-2: ${production}\n` +
  `".*-staging":\n  1-24-5: ${100 - staging}\n  1-25-2: ${staging}\n`;
const rollouts = printRollouts(0, 0);

async function prepare(baseline: "here" | "later"): Promise<{ readonly fleet: RealFleet; readonly reader: Reader }> {
  const made = await startWorld({ redis: redis(), nats: nats() }, rollouts, baseline);
  fleet = made;
  const person = new Reader(installed, { ...made.env, ...describeGithub(made, "ana") });
  reader = person;
  const here = { url: made.kube.url, token: "token-of-the-executor" };
  const gone = { name: "admin@b", url: "http://127.0.0.1:9", token: "none" };
  const kubeconfig = renderKubeconfig([{ name: "my-context", ...here }, { name: "admin@a", ...here }, gone]);
  writeFileSync(join(person.folder, ".kube", "config"), kubeconfig);
  return { fleet: made, reader: person };
}

async function open(): ReturnType<typeof prepare> {
  const { fleet, reader } = await prepare("here");
  fleet.startService("executor");
  fleet.startService("planner", { env: describeGithub(fleet, "meshroll") });
  await fleet.until("the cluster is seen", async () => (await fleet.status())?.clusters[0]?.fresh === true);
  return { fleet, reader };
}

/** Merges the page's campaign with bakes of minutes, and then its stages one after the other. */
async function mergeCampaign(fleet: RealFleet, reader: Reader): Promise<void> {
  const file = join(reader.folder, "campaigns", "istio-1-25.yml");
  writeFileSync(file, readYaml("run-a-campaign").replaceAll(/bake: \w+/gu, "bake: 1m"));
  await reader.do("meshroll start campaigns/istio-1-25.yml");
  await approveAndMerge(fleet, (branch) => !branch.startsWith("meshroll/"));
  for (const [done, stage] of ["staging", "prod-5", "prod-100"].entries()) {
    await approveAndMerge(fleet, (branch) => branch === `meshroll/istio-1-25/${stage}`);
    await fleet.untilRunEnds(done + 1);
  }
}

/** Ids of the ledger's stops in force with exactly this scope. */
async function listStops(fleet: RealFleet, scope: string): Promise<readonly string[]> {
  const { stops } = await fleet.ledger();
  return Object.values(stops).flatMap((stop) => (stop.scope === scope && stop.resume === undefined ? [stop.id] : []));
}

/** Ids of the stops in the published status with exactly this scope. */
async function listShownStops(fleet: RealFleet, scope: string): Promise<readonly string[]> {
  const stops = (await fleet.status())?.stops ?? [];
  return stops.flatMap((stop) => (stop.scope === scope ? [stop.id] : []));
}

/** Merges a change of the file; returns the id of its run. */
async function change(fleet: RealFleet, text: string, count: number): Promise<string> {
  await fleet.merge({ "rollouts.yml": text });
  await fleet.until("the change is a run", async () => (await fleet.runs()).length === count);
  return (await fleet.runs()).at(-1)?.id ?? "";
}

/** Types a stop while NATS is down and one of the two clusters cannot be reached. */
async function stopWithoutBus(reader: Reader, command: string): Promise<void> {
  const { code, stderr } = await reader.type(command, { MESHROLL_NATS_URL: "nats://127.0.0.1:9" });
  if (code !== 69 || !stderr.includes("not reached: prod-b"))
    throw new Error(`$ ${command}\nended with ${code}: ${stderr}`);
}

/** The pause was placed without the planner, and cannot be ended by the CLI before the planner has recorded it. */
async function endPause(fleet: RealFleet, reader: Reader, command: string): Promise<void> {
  await fleet.until("the planner has recorded it", async () => (await listShownStops(fleet, "all")).length === 2);
  await reader.do(command);
}

/** In a terminal a person is asked which stop to end; a script names it by its id. Ends the stop that failures placed. */
async function resumeByScript(fleet: RealFleet, reader: Reader, command: string): Promise<void> {
  const [, scope = ""] = /resume (run\/\w+)/.exec(command) ?? [];
  const { stops } = await fleet.ledger();
  const [id = ""] = Object.values(stops).flatMap((stop) =>
    stop.scope === scope && stop.cause === "failures" ? [stop.id] : [],
  );
  await reader.do(`${command.replace(scope, `--id ${id}`)} -y`);
}

/** While the campaign is not finished, a rollback could go back to the old revision, so `retire` refuses with 83. */
async function refuseToRetire(reader: Reader, command: string): Promise<void> {
  const typed = command.replace("=use1-a", "=admin@a").replace("=use1-b", "=my-context");
  const { code, stdout } = await reader.type(typed);
  expect([code, stdout]).toEqual([83, expect.stringContaining("campaign istio-1-25")]);
}

/** Pages whose commands are not typed here, and where they are tested. */
const elsewhere: Readonly<Record<string, string>> = {
  "deploy-with-compose": "needs Docker: test/package/image.test.ts plays the image's steps",
  "install-with-helm": "needs Helm and a cluster: test/chart installs the chart on a real control plane",
  "gate-on-metrics": "needs a Prometheus: libs/plan/gates/how-to-page.test.ts plays its gates",
  "label-new-pods": "needs an API server that has the policy: test/cluster/mesh/labelled-pods.test.ts",
  "leave-it-to-deploys": "needs owners who deploy: test/cluster/mesh/deploys.test.ts, test/flow/merge/deploys.test.ts",
  "mutate-manifests": "needs kustomize and others: test/mutate, test/guards/mutate-action.test.ts",
  "require-checks": "is done in GitHub's settings: doctor's findings on them are test/flow/cli/cli-doctor.test.ts",
  "run-on-gitea": "needs a Gitea: test/forge",
  "run-without-docker": "is of the checkout: test/guards/run.test.ts",
  simulate: "has samples only: test/guards/documents.test.ts compares what they print",
  "show-the-page": "types nothing: its nginx is test/page/proxy, its names services/api/other-sites.test.ts",
  "tell-people": "needs a Slack: test/integration/notifier.test.ts",
  upgrade: "types nothing",
  "use-a-github-app": "is done in GitHub's settings: test/integration/github-app.test.ts runs by an App",
  "upgrade-vms": "needs VMs: test/vm, and cli/artifacts for what it types",
  "vms-on-ec2": "needs an AWS account: sandbox/ec2 plays EC2",
  "use-contexts": "needs gh, a vault and kubectl: cli/contexts/port-forward.test.ts and its neighbours",
};
const played = [
  "check-rollouts-in-ci",
  "install",
  "protect-the-ledger",
  "roll-back",
  "run-a-campaign",
  "run-against-your-cluster",
  "stop-and-resume",
];

it("each how-to is typed here, or the list says where else it is tested", () => {
  const pages = readdirSync(folderOfPages).map((name) => name.replace(/\.md$/u, ""));
  expect([...Object.keys(elsewhere), ...played].toSorted()).toEqual(pages.toSorted());
});

describe("all commands of a page, typed in an empty folder", () => {
  it("install", async () => {
    const prefix = join(installed.folder, "own");
    // npm's registry settings are in the environment or in the user's file.
    const { npm_command: _, npm_lifecycle_event: __, ...machine } = process.env as Readonly<Record<string, string>>;
    const settings = Object.entries(machine).filter(([name]) => /^npm_config_|proxy$|^SSL_|^NODE_EXTRA/iu.test(name));
    const npm = {
      ...Object.fromEntries(settings),
      npm_config_prefix: prefix,
      npm_config_userconfig: join(homedir(), ".npmrc"),
    };
    const person = new Reader({ ...installed, bin: join(prefix, "bin") }, npm);
    reader = person;
    cpSync(installed.tarball, join(person.folder, basename(installed.tarball)));
    // The first command builds the package, which these tests have done already.
    for (const command of readCommands("install").slice(1)) await person.do(command);
    await person.do("bash -n meshroll-completion.bash");
    expect(await person.do("meshroll --version")).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it("run a campaign", async () => {
    const { fleet, reader } = await open();
    mkdirSync(join(reader.folder, "campaigns"));
    writeFileSync(join(reader.folder, "rollouts.yml"), rollouts);
    writeFileSync(join(reader.folder, "campaigns", "istio-1-25.yml"), readYaml("run-a-campaign"));
    const commands = readCommands("run-a-campaign");
    const rollbacks = commands.filter((command) => command.includes("rollback"));
    for (const command of commands.filter((each) => !rollbacks.includes(each))) {
      if (command.startsWith("meshroll retire ")) await refuseToRetire(reader, command);
      else await reader.do(command);
      if (command.includes("--dry-run")) await mergeCampaign(fleet, reader);
    }
    // A campaign that was rolled back is not finished, so the page's last two sections exclude each other.
    for (const command of rollbacks) await reader.do(`${command} -y`);
    await fleet.until("all that it moved is back", () => countOn(fleet, "1-25-2") === 0);
    const { stops } = await fleet.ledger();
    expect(Object.keys(stops).filter((id) => id.startsWith("rollback-"))).not.toEqual([]);
  });

  it("run against your cluster", async () => {
    const { fleet, reader } = await prepare("later");
    await reader.do(`git clone --quiet ${fleet.gitFolder} ../rollouts && git -C ../rollouts branch my-branch`);
    const play = playServices(fleet, reader, { nats: nats().url, redis: redis().findUrl("operator") ?? "" });
    for (const command of readCommands("run-against-your-cluster")) await play(command);
    await change(fleet, printRollouts(100, 0), 1);
    await fleet.untilRunEnds(1);
    await fleet.until("status is idle", async () => (await reader.do("meshroll status")).includes("Idle"));
    expect((await fleet.runs()).map(({ state }) => state)).toEqual(["done"]);
  });

  it("stop and resume", async () => {
    const { fleet, reader } = await open();
    const bad = { namespace: "growth-api-staging", kind: "Deployment", name: "app" } as const;
    const fix = fleet.model.breakWorkload(bad, { how: "neverReady", whenRevision: "1-25-2" });
    const id = await change(fleet, printRollouts(0, 100), 1);
    await fleet.until("it stops by a failure", async () => Object.keys((await fleet.ledger()).stops).length > 0);
    const commands = readCommands("stop-and-resume");
    const retry = commands.find((command) => command.includes("retry"));
    for (const command of commands.filter((each) => each !== retry)) {
      const named = command.replace("8abdbc074a6d", id);
      if (command.includes("create configmap")) fleet.model.setConfigMap("meshroll-system", "meshroll-stop", {});
      else if (command.includes("delete configmap")) fleet.model.deleteConfigMap("meshroll-system", "meshroll-stop");
      else if (command.includes("--kubeconfig")) await stopWithoutBus(reader, command);
      else if (command.includes("resume all")) await endPause(fleet, reader, command);
      else if (command.includes("resume run/")) await resumeByScript(fleet, reader, named);
      else await reader.do(named);
    }
    // The page has two ways to continue; this one ends the run's stop.
    fix();
    await reader.do((retry ?? "").replace("8abdbc074a6d", id));
    await fleet.untilRunEnds(1);
    expect(await listStops(fleet, "all")).toEqual([]);
  });

  it("roll back", async () => {
    const { fleet, reader } = await open();
    const id = await change(fleet, printRollouts(100, 0), 1);
    await fleet.untilRunEnds(1);
    const [byPull = "", atOnce = "", unhold = "", cancel = "", ...more] = readCommands("roll-back");
    await reader.do(`${byPull} -y`);
    await reader.do(`${atOnce.replace("4c8b717cd4df", id)} -y`);
    await fleet.until("the hold is placed", async () => (await listShownStops(fleet, "bucket/production")).length > 0);
    await reader.do(unhold);
    // The rollback's pull request merges by itself; a push at the same time would be refused.
    await fleet.until("the rollback is on main", async () => (await fleet.runs()).length === 2);
    const next = await change(fleet, printRollouts(0, 100), 3);
    await reader.do(`meshroll rollback run/${next} --reason "5xx on checkout" -y`);
    const [stop = "none"] = await listStops(fleet, `run/${next}`);
    await reader.do(cancel.replace("rollback-cd790a77", stop));
    expect([more, await listStops(fleet, `run/${next}`)]).toEqual([[], []]);
  });

  it("protect the ledger", async () => {
    const { fleet, reader } = await open();
    for (const command of readCommands("protect-the-ledger")) {
      // gh and a person's own git are not available here.
      if (!/^(?:gh|git) /u.test(command)) await reader.do(command.includes("--repair") ? `${command} -y` : command);
    }
    expect(fleet.services.has("planner")).toBe(true);
    expect(await reader.do("meshroll ledger check")).toContain("can be read");
  });

  it("check rollouts.yml in CI", async () => {
    const person = new Reader(installed);
    reader = person;
    writeFileSync(join(person.folder, "rollouts.yml"), rollouts);
    const [human = "", json = "", ...more] = readCommands("check-rollouts-in-ci");
    expect([await person.do(human), more]).toEqual([expect.stringContaining("✔ rollouts.yml"), []]);
    expect(JSON.parse(await person.do(json))).toMatchObject({ apiVersion: "meshroll.dev/v1" });
  });
});
