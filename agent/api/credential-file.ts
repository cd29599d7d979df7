import { noteExpiringSecret } from "#libs/runtime";
import { z } from "zod";

import type { Disk } from "../disk/port.ts";
import { writeWhole } from "../disk/write-whole.ts";

const form = z.object({ formatVersion: z.literal(1), name: z.string(), credential: z.string().min(1) });

/** The credential of this VM, and the join token for it. Both throw the disk's errors. */
export interface CredentialFile {
  /** Undefined where there is none for a VM of this name. */
  read(name: string): Promise<string | undefined>;
  write(name: string, credential: string): Promise<void>;
  /** Undefined where there is no file, or an empty one. */
  readJoinToken(): Promise<string | undefined>;
}

function parse(text: string): z.infer<typeof form> | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: the VM registers again.
    return undefined;
  }
}

const mostBytes = 8192;

export function openCredentialFile(disk: Disk, path: string, joinTokenPath: string): CredentialFile {
  let held: { readonly name: string; readonly credential: string } | undefined;
  return {
    async read(name) {
      if (held?.name === name) return held.credential;
      const text = await disk.readText(path, mostBytes);
      const found = text === undefined ? undefined : parse(text);
      if (found?.name !== name) return undefined;
      noteExpiringSecret(found.credential);
      held = found;
      return found.credential;
    },
    async write(name, credential) {
      noteExpiringSecret(credential);
      held = { name, credential };
      await writeWhole(disk, path, `${JSON.stringify({ formatVersion: 1, name, credential })}\n`, 0o600);
    },
    async readJoinToken() {
      const token = (await disk.readText(joinTokenPath, mostBytes))?.trim() ?? "";
      if (token === "") return undefined;
      noteExpiringSecret(token);
      return token;
    },
  };
}
