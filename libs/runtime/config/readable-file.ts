import { accessSync, constants, statSync } from "node:fs";
import { z } from "zod";

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Schema of a path to a file that this process can read. */
export function readableFile() {
  return z.string().refine(isReadable, { message: "is no file that this process can read" });
}
