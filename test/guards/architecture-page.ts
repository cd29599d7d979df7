const tops = [
  "libs",
  "services",
  "cli",
  "agent",
  "sandbox",
  "test",
  "bench",
  "scripts",
  "docs",
  "bin",
  "schema",
  "deploy",
  "page",
];
const folder = /^(?:(?:libs|services|sandbox)\/[a-z-]+|cli|agent|page|test|bench|scripts|docs)$/;

/** What the page names: `path` from the root, as `shown` on that line. */
export interface NamedPath {
  readonly line: number;
  readonly shown: string;
  readonly path: string;
}

/** The rooms of one folder, as the page or the tree has them; the page names the lowest first. */
export type Rooms = ReadonlyMap<string, readonly string[]>;

interface Line {
  readonly number: number;
  readonly text: string;
  /** `code`: inside of a fence. */
  readonly kind: "code" | "row" | "text";
  /** The header of its table, in cells; for a row only. */
  readonly header: readonly string[];
}

function splitCells(row: string): readonly string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function listQuoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

function readLines(page: string): readonly Line[] {
  let isCode = false;
  let header: readonly string[] = [];
  return page.split("\n").map((text, index): Line => {
    const number = index + 1;
    if (text.startsWith("```")) isCode = !isCode;
    if (isCode || text.startsWith("```")) return { number, text, kind: "code", header: [] };
    if (!text.startsWith("|")) {
      header = [];
      return { number, text, kind: "text", header };
    }
    if (header.length === 0) header = splitCells(text);
    return { number, text, kind: "row", header };
  });
}

/** The folder that a table is about: its paths are told from there. */
function findSubject(header: readonly string[]): string | undefined {
  return header.flatMap(listQuoted).find((token) => folder.test(token));
}

function isPath(token: string): boolean {
  if (/[*<>{}\s#]/.test(token)) return false;
  return /\.(?:ts|mjs)$|\/$/.test(token) || (token.includes("/") && tops.includes(token.split("/")[0] ?? ""));
}

function resolve(token: string, subject: string | undefined): string {
  const path = token.replace(/\/$/, "");
  return subject === undefined || tops.includes(path.split("/")[0] ?? "") ? path : `${subject}/${path}`;
}

/** In a picture a box names a folder, and then what lies in it. */
function listPictured({ number, text }: Line): readonly NamedPath[] {
  const match = /(?:libs|services)\/[a-z-]+|\bcli(?=\/)/.exec(text);
  if (match === null) return [];
  const [subject] = match;
  const inside = [...text.slice(match.index + subject.length).matchAll(/[a-z-]+(?:\/[a-z-]+)*(?:\.ts|\/(?![a-z>]))/g)];
  return [subject, ...inside.map(([token]) => `${subject}/${token.replace(/\/$/, "")}`)].map((path) => ({
    line: number,
    shown: path,
    path,
  }));
}

/** Each path that the page names, in its text, its tables and its picture. */
export function listNamedPaths(page: string): readonly NamedPath[] {
  return readLines(page).flatMap((line) => {
    if (line.kind === "code") return listPictured(line);
    const [house] = line.header.at(2)?.startsWith("rooms") === true ? listQuoted(splitCells(line.text)[0] ?? "") : [];
    const subject = house ?? findSubject(line.header);
    return listQuoted(line.text)
      .filter(isPath)
      .map((shown) => ({ line: line.number, shown, path: resolve(shown, subject) }));
  });
}

/** Whose rooms a row names, and the cell that names them. */
function findOwner({ header: [first = "", , third = ""], text }: Line): readonly [string | undefined, string] {
  const cells = splitCells(text);
  if (first.startsWith("room of")) return [listQuoted(first)[0], cells[0] ?? ""];
  return [third.startsWith("rooms") ? listQuoted(cells[0] ?? "")[0] : undefined, cells[2] ?? ""];
}

/** The rooms that the page names: a table of rooms of one folder, or a table of folders with a column `rooms`. */
export function listNamedRooms(page: string): Rooms {
  const rooms = new Map<string, readonly string[]>();
  for (const line of readLines(page).filter(({ kind }) => kind === "row")) {
    const [owner, cell] = findOwner(line);
    const named = listQuoted(cell).filter((token) => token.endsWith("/"));
    if (owner === undefined || named.length === 0) continue;
    rooms.set(owner, [...(rooms.get(owner) ?? []), ...named.map((token) => token.slice(0, -1))]);
  }
  return rooms;
}

/** Path of a folder and the folder below it that it lies in; none for a file that lies flat. */
function findRoom(path: string, house: string): readonly [string, string] | undefined {
  const [room = "", ...rest] = path.slice(house.length + 1).split("/");
  return rest.length === 0 ? undefined : [house, room];
}

const top = /^((?:libs|services|sandbox)\/[^/]+|cli|agent|page|test\/flow)\/./;

function listHouses(path: string, inner: readonly string[]): readonly string[] {
  const [, house] = top.exec(path) ?? [];
  return [...(house === undefined ? [] : [house]), ...inner.filter((each) => path.startsWith(`${each}/`))];
}

/** The folders one below a lib, a service, the CLI, a stand-in, the flows and the rooms named, in alphabetical order. */
export function listRooms(paths: readonly string[], inner: readonly string[] = []): Rooms {
  const rooms = new Map<string, string[]>();
  const found = paths.flatMap((path) => listHouses(path, inner).map((house) => findRoom(path, house)));
  for (const [house, room] of found.filter((each) => each !== undefined)) {
    const known = rooms.get(house) ?? [];
    if (!known.includes(room)) rooms.set(house, [...known, room].toSorted());
  }
  return rooms;
}
