import { describe, expect, it } from "vitest";

import type { RepositorySetup } from "./environment.ts";
import type { CommitDraft } from "../port.ts";

const author = { name: "J\u00f6rg planner", email: "planner@example.org" };
const signature = "-----BEGIN SSH SIGNATURE-----\nVTA=\nVTE=\n-----END SSH SIGNATURE-----";

function draft(change: Partial<CommitDraft>): CommitDraft {
  return { branch: "meshroll/ledger", files: { "a.json": "{}" }, message: "A transition \u00e4", author, ...change };
}

/** How commits are signed, and what of them was signed is read back. */
export function describeSignatures(name: string, make: () => Promise<RepositorySetup>): void {
  describe(`signed commits of ${name}`, () => {
    it("are read back as what was signed and its signature, by another clone too", async () => {
      const environment = await make();
      environment.remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      const repository = await environment.open();
      await repository.fetch();
      const first = await repository.commitAndPush(draft({}));
      if (first.kind !== "pushed") throw new Error(first.why);
      const signed: string[] = [];
      const sign = (payload: Uint8Array): string => {
        signed.push(Buffer.from(payload).toString("utf8"));
        return signature;
      };
      const second = await repository.commitAndPush(draft({ onto: first.sha, files: { b: "1" }, sign }));
      if (second.kind !== "pushed") throw new Error(second.why);

      const other = await environment.open();
      const read = await other.readSignature(second.sha);
      expect([Buffer.from(read.payload).toString("utf8"), read.signature]).toEqual([signed[0], signature]);
      expect(signed[0]).toMatch(
        new RegExp(
          `^tree [0-9a-f]{40}\nparent ${first.sha}\nauthor J\u00f6rg planner <.*> \\d+ .*\n(?:.*\n)*\nA transition \u00e4\n$`,
          "u",
        ),
      );
      const unsigned = await other.readSignature(first.sha);
      expect(unsigned.signature).toBeUndefined();
      expect(Buffer.from(unsigned.payload).toString("utf8")).toContain("\n\nA transition \u00e4\n");
      expect(await other.read(second.sha, "b")).toBe("1");
      expect((await other.firstParents(undefined, second.sha)).map(({ sha }) => sha)).toEqual([first.sha, second.sha]);
      await environment.close();
    });
  });
}
