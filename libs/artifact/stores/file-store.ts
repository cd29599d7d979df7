import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

import { NotInStore, StoreUnavailable } from "../errors.ts";
import type { ArtifactStore } from "../port.ts";
import { isStorePath } from "./store-path.ts";

const absent: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** A store in a local or mounted folder. Symbolic links are not followed. */
export function openFileStore(folder: string): ArtifactStore {
  return {
    address: folder,
    async read(path, offset, signal) {
      if (!isStorePath(path)) throw new NotInStore(`${path} is not a path in a store`);
      try {
        const file = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW);
        if (!(await file.stat()).isFile()) {
          await file.close();
          throw new NotInStore(`${path} in ${folder} is not a file`);
        }
        return file.createReadStream({ start: offset, ...(signal === undefined ? {} : { signal }) });
      } catch (error) {
        if (error instanceof NotInStore) throw error;
        const { code, message } = error as NodeJS.ErrnoException;
        if (absent.has(code)) throw new NotInStore(`there is no ${path} in ${folder}`, { cause: error });
        throw new StoreUnavailable(message, { cause: error });
      }
    },
  };
}
