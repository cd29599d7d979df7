import { describeScm, type ScmRules, type ScmEnvironment, type Unsupported } from "#conformance/scm";
import { findGitea, type GiteaAccounts, type GiteaServer, openAccounts, startGitea } from "#sandbox/gitea";
import { afterAll, beforeAll } from "vitest";

import { makeGiteaEnvironment, makeOrganization } from "./bed/gitea-environment.ts";
import { type Balancer, startBalancer } from "./bed/outage.ts";

let server: GiteaServer;
let forge: GiteaAccounts;
let balancer: Balancer;

beforeAll(async () => {
  server = await startGitea(await findGitea({ env: process.env, log: () => undefined }));
  forge = await openAccounts(server, ["bot", "ada", "bob"]);
  await makeOrganization(forge);
  balancer = await startBalancer(server.url);
});

afterAll(async () => {
  await balancer.close();
  await server.close();
});

/** As listed in docs/reference/scm.md. */
const unsupported: ReadonlySet<Unsupported> = new Set(["checkRuns", "queue"]);

async function make(rules: ScmRules): Promise<ScmEnvironment> {
  return makeGiteaEnvironment(forge, balancer, rules);
}

describeScm("Gitea by its REST API", make, unsupported);
