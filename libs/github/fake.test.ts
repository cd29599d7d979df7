import { createFakeRemote } from "#fakes/git";

import { describeForge } from "./conformance.ts";
import { createFakeForge } from "./fake.ts";

describeForge("the forge in memory", async (protection) => {
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  const forge = createFakeForge({ remote, protection, now: Date.now });
  forge.setTeam("mesh", ["ada", "bob"]);
  return {
    as: (login) => forge.as(login),
    remote,
    passCheck: async (sha, name) => forge.passCheck(sha, name),
    openFromFork: async (branch) => forge.openFromFork("ada", branch),
    closePullRequest: async (number) => forge.closePullRequest(number, "ada"),
    team: { slug: "mesh", logins: ["ada", "bob"] },
    setUnavailable: (down) => forge.setUnavailable(down),
    close: async () => undefined,
  };
});
