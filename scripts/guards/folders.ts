import { basename, dirname } from "node:path";
import type { Complaint } from "./complaint.ts";
import { houses } from "./rooms.ts";

const maxFiles = 12;
const code = /\.(?:ts|tsx|mts|mjs|py|sh)$/;
const inRoom = /^((?:libs|services|sandbox)\/[^/]+|cli|agent|page|test\/flow)\/([^/]+)\/./;

/** Counts towards the limit: code files except tests and a folder's index.ts. */
function isCounted(path: string): boolean {
  return (
    code.test(path) && !path.endsWith(".test.ts") && basename(path) !== "index.ts" && !path.startsWith("test/fixtures/")
  );
}

/** Complains about folders with more than 12 code files: they have more than one subject. */
export function checkFolderSizes(paths: readonly string[]): readonly Complaint[] {
  const found = new Map<string, number>();
  for (const path of paths.filter(isCounted)) found.set(dirname(path), (found.get(dirname(path)) ?? 0) + 1);
  return [...found]
    .filter(([, count]) => count > maxFiles)
    .map(([path, count]) => ({
      path,
      message: `${count} files lie flat here, at most ${maxFiles} may: give those of one subject a folder`,
    }));
}

/** Complains about each folder of a lib, a service, a stand-in, the CLI or the flows that is not in its order of rooms. */
export function checkRoomList(paths: readonly string[]): readonly Complaint[] {
  const unlisted = new Set<string>();
  for (const path of paths) {
    const [, house = "", room = ""] = inRoom.exec(path) ?? [];
    if (house !== "" && houses.get(house)?.order.includes(room) !== true) unlisted.add(`${house}/${room}`);
  }
  return [...unlisted].map((path) => ({
    path,
    message: "a room without a place in the order of scripts/guards/rooms.ts",
  }));
}
