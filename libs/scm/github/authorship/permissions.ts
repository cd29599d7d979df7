import { z } from "zod";

import { readBanMs, readStatus } from "../../http/classify.ts";
import type { Scm, Permission } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import type { Wire } from "../calls/wire.ts";

const answer = z.object({ permission: z.enum(["admin", "write", "read", "none"]).catch("none") });

/** What an account may do in the repository. GitHub reports `maintain` as `write` and `triage` as `read`. */
export function createPermissions({ octokit, call, here }: Wire): Pick<Scm, "permissionOf"> {
  async function read(username: string, doing: string): Promise<Permission> {
    try {
      const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...here, username });
      return parseAnswer(answer, data, doing).permission;
    } catch (error) {
      const status = readStatus(error)?.status;
      if (readBanMs(error, 0) !== undefined) throw error;
      // 404: the account was deleted. 403: this token may not ask, which says nothing about the account.
      if (status === 404) return "none";
      if (status === 403) return "unknown";
      throw error;
    }
  }

  return {
    permissionOf: async (login) => {
      const doing = `reading what ${login} may do`;
      return call(doing, async () => read(login, doing));
    },
  };
}
