import { posix } from "node:path";
import type { Complaint } from "./complaint.ts";

/**
 * The rooms of `libs/plan`, lowest first: a room may import those before it, by their doors (`index.ts`). Read upwards they are
 * gather, decide, act.
 */
export const rooms = [
  "records",
  "main",
  "stops",
  "workloads",
  "index",
  "transitions",
  "conditions",
  "gates",
  "moves",
  "runs",
  "proposals",
  "status",
] as const;

const house = "libs/plan/";
const imported = /(?:from |import\()"(\.[^"]+)"/g;

function findRoom(path: string): string | undefined {
  const [room, ...rest] = path.startsWith(house) ? path.slice(house.length).split("/") : [];
  return rest.length === 0 ? undefined : room;
}

function explain(from: string | undefined, to: string, target: string): string | undefined {
  if (!target.endsWith(`${house}${to}/index.ts`)) return `import ${to} by its door, ${house}${to}/index.ts`;
  if (from === undefined) return undefined;
  const [mine, other] = [rooms.indexOf(from as (typeof rooms)[number]), rooms.indexOf(to as (typeof rooms)[number])];
  if (mine < 0 || other < 0) return `${mine < 0 ? from : to} is not in the list of rooms: scripts/guards/rooms.ts`;
  return other > mine ? `${from} lies below ${to} and may not import it: scripts/guards/rooms.ts` : undefined;
}

/** Complains about each import of a file of `libs/plan` that goes past a door, or up. Tests may import what they test. */
export function checkRooms(path: string, text: string): readonly Complaint[] {
  if (!path.startsWith(house) || !path.endsWith(".ts") || path.endsWith(".test.ts") || path === `${house}index.ts`)
    return [];
  const from = findRoom(path);
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(imported)].flatMap((match) => {
      const target = posix.join(posix.dirname(path), match[1] ?? "");
      const to = findRoom(target);
      const message = to === undefined || to === from ? undefined : explain(from, to, target);
      return message === undefined ? [] : [{ path, line: index + 1, message }];
    }),
  );
}
