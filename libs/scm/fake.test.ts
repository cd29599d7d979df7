import { createFakeRemote } from "#fakes/git";

import { describeScm } from "./conformance.ts";
import { createFakeScm } from "./fake.ts";

describeScm("the SCM in memory", async (protection) => {
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  const scm = createFakeScm({ remote, protection, now: Date.now });
  if (protection.ledgerRules !== undefined) scm.setLedgerRules({ ledgerRules: protection.ledgerRules });
  scm.setTeam("mesh", ["ada", "bob"]);
  return {
    as: (login) => scm.as(login),
    remote,
    approve: async (login, number) => scm.review(number, { author: login, state: "approved" }),
    passCheck: async (sha, name) => scm.passCheck(sha, name),
    openFromFork: async (branch) => scm.openFromFork("ada", branch),
    closePullRequest: async (number) => scm.closePullRequest(number, "ada"),
    team: { slug: "mesh", logins: ["ada", "bob"] },
    setUnavailable: (down) => scm.setUnavailable(down),
    close: async () => undefined,
  };
});
