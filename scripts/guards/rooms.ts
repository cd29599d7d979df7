import type { Complaint } from "./complaint.ts";
import { listPathImports } from "./houses.ts";

/** The folders ("rooms") of a lib, lowest first: a room may import those before it. */
export interface Rooms {
  /** `.` stands for the files directly in the lib. */
  readonly order: readonly string[];
  /** True when a room may be imported only by its `index.ts`. */
  readonly doors: boolean;
}

function inOrder(names: string): Rooms {
  return { order: names.split(" "), doors: false };
}

function withDoors(names: string): Rooms {
  return { order: names.split(" "), doors: true };
}

/**
 * The rooms of each lib, service and stand-in, of the CLI and of the flows; roughly in the order in which they do their work.
 */
export const houses: ReadonlyMap<string, Rooms> = new Map([
  ["libs/input", inOrder(". errors names")],
  [
    "libs/wording",
    inOrder("managers causes workloads . gates markdown merges reasons manifests vms transitions status pull-requests"),
  ],
  ["libs/rollouts", inOrder("source file patterns checks hashing . edit")],
  ["libs/campaign", inOrder("calendar settings document fields schema settings-file ramp .")],
  ["libs/fleet", inOrder(". versions vms times causes annotations admission arrival")],
  ["libs/injection", inOrder("writes sites judging patches users")],
  ["libs/manifests", inOrder("objects text block json tree labels verify .")],
  [
    "libs/plan",
    withDoors(
      "records main stops workloads index transitions conditions gates moves admission vms runs proposals status .",
    ),
  ],
  ["libs/simulation", inOrder("answer clock cluster executor planner .")],
  ["libs/events", inOrder(". vms history inventory status commands")],
  ["libs/runtime", inOrder("secrets config clock log metrics http service .")],
  ["libs/git", inOrder(". process clone read merge push repository fake conformance")],
  ["libs/scm", inOrder("port http github gitea config fake conformance")],
  ["libs/scm/github", inOrder("calls app pull-requests authorship comments merging adapter")],
  ["libs/ledger", inOrder("records . files branch conformance")],
  ["libs/kube", inOrder(". access requests objects usage rollout store istiods watch write cluster conformance")],
  ["libs/queue", inOrder(". server producer worker fake conformance")],
  ["libs/bus", inOrder(". connection buckets stream installation fake conformance")],
  ["libs/vms", inOrder(". tokens reports self-hosted ec2 opening conformance")],
  ["libs/artifact", inOrder(". manifest stores metadata trust")],
  ["libs/repository", inOrder("unread .")],
  [
    "services/planner",
    inOrder(
      "loop memory repository measurements notifications requests reconcile inventory control publishing " +
        "pull-requests comment-requests .",
    ),
  ],
  ["services/executor", inOrder("control messages writes moves vms cluster inventory .")],
  ["services/notifier", inOrder("facts render news delivery slack github .")],
  ["services/api", inOrder("http events hints status page vms routes .")],
  ["agent", inOrder("decide disk slots proxy lock tag report api turn .")],
  ["page", inOrder("model drawing live parts views .")],
  [
    "cli",
    inOrder(
      "terminal text names contexts session options logins read files ledger show manifests requests watch doctor completion " +
        "manual artifacts commands .",
    ),
  ],
  ["sandbox/demo", inOrder("vms world story drawing display play ending .")],
  ["sandbox/github", inOrder("git state shapes described http routes push serve .")],
  [
    "test/flow",
    inOrder(
      "parts . forging campaign hub standstills apart cli unread merge stop rollback fleets vms faults restarts walks",
    ),
  ],
  ["sandbox/kube-model", inOrder("objects render state controllers writes api .")],
]);

/** Files that export what the rooms of a lib contain. */
const door = /^(?:index|fake|conformance)\.ts$/;

interface Place {
  readonly house: string;
  readonly room: string;
  /** Path below the room. */
  readonly file: string;
}

function findIn(house: string, path: string): Place | undefined {
  if (!path.startsWith(`${house}/`)) return undefined;
  const parts = path.slice(house.length + 1).split("/");
  if (parts.length === 1) return door.test(parts[0] ?? "") ? undefined : { house, room: ".", file: parts[0] ?? "" };
  return { house, room: parts[0] ?? "", file: parts.slice(1).join("/") };
}

/** A room may have rooms itself; then the path has a place in both. */
function findPlaces(path: string): readonly Place[] {
  return [...houses.keys()].flatMap((house) => findIn(house, path) ?? []);
}

function explain(from: Place, to: Place, { order, doors }: Rooms): string | undefined {
  const unlisted = [from.room, to.room].find((room) => !order.includes(room));
  if (unlisted !== undefined) return `${unlisted} is not in the list of rooms: scripts/guards/rooms.ts`;
  if (doors && to.room !== "." && to.file !== "index.ts") {
    return `import ${to.room} by its door, ${to.house}/${to.room}/index.ts`;
  }
  if (order.indexOf(to.room) < order.indexOf(from.room)) return undefined;
  return `${from.room} lies below ${to.room} and may not import it: scripts/guards/rooms.ts`;
}

function judge(from: Place, to: Place | undefined): string | undefined {
  const rooms = houses.get(from.house);
  if (rooms === undefined || to?.house !== from.house || to.room === from.room) return undefined;
  return explain(from, to, rooms);
}

/** Tests next to the product may import what they test; tests below test/ are checked. */
function isChecked(path: string): boolean {
  return /\.tsx?$/.test(path) && (!path.endsWith(".test.ts") || path.startsWith("test/"));
}

/** Complains about each import that goes to a higher room, or to a file behind a room's index.ts. */
export function checkRooms(path: string, text: string): readonly Complaint[] {
  const places = isChecked(path) ? findPlaces(path) : [];
  if (places.length === 0) return [];
  return listPathImports(path, text).flatMap(({ line, target }) => {
    const targets = findPlaces(target);
    return places.flatMap((from) => {
      const message = judge(
        from,
        targets.find(({ house }) => house === from.house),
      );
      return message === undefined ? [] : [{ path, line, message }];
    });
  });
}
