import { AnswerTooLarge, collectBytes } from "#libs/runtime";
import type { Fetcher } from "tuf-js";
import { DownloadHTTPError } from "tuf-js/dist/error.js";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { NotInStore, StoreUnavailable } from "../errors.ts";
import type { ArtifactStore } from "../port.ts";

/** A base for the URLs of `tuf-js`; the rest is a path in the store. */
export const fetcherBase = "https://store.invalid/";

/** Lets `tuf-js` read from a store. It rewords most errors; `unavailable` keeps the store's own. */
export interface StoreFetcher extends Fetcher {
  readonly fault: { unavailable?: StoreUnavailable };
}

export function createStoreFetcher(store: ArtifactStore, folder: string, signal?: AbortSignal): StoreFetcher {
  const fault: { unavailable?: StoreUnavailable } = {};
  const downloadBytes = async (url: string, maxLength: number): Promise<Buffer> => {
    const path = decodeURIComponent(url.slice(fetcherBase.length));
    try {
      return await collectBytes(await store.read(path, 0, signal), maxLength);
    } catch (error) {
      // `tuf-js` takes this error to mean that there is no newer root.
      if (error instanceof NotInStore) throw new DownloadHTTPError(error.message, 404);
      if (error instanceof StoreUnavailable) fault.unavailable = error;
      else if (error instanceof AnswerTooLarge)
        throw new Error(`${path} is longer than ${maxLength} bytes`, { cause: error });
      throw error;
    }
  };
  return {
    fault,
    downloadBytes,
    async downloadFile(url, maxLength, handle) {
      const path = join(folder, "download");
      await writeFile(path, await downloadBytes(url, maxLength));
      return handle(path);
    },
  };
}
