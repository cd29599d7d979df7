import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";

import { makePlaces } from "../slots/places.ts";

/** Another agent serves this root. */
export class AlreadyRuns extends Error {
  override readonly name = "AlreadyRuns";

  constructor(root: string) {
    super(`another agent serves ${root}: two would undo each other's work`);
  }
}

type Neighbour = "lives" | "ended" | "gone";

/** Whether the agent of a socket runs: the kernel refuses connections to a socket whose process ended. */
async function ask(path: string): Promise<Neighbour> {
  const socket = connect({ path });
  try {
    await once(socket, "connect");
    return "lives";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED") return "ended";
    // The other agent released it meanwhile. After any other error there may be one.
    return code === "ENOENT" ? "gone" : "lives";
  } finally {
    socket.destroy();
  }
}

/**
 * Looks for another agent, and removes sockets of ended ones. Names are never reused, so a living agent's socket is not
 * removed.
 */
async function hasNeighbour(folder: string, own: string): Promise<boolean> {
  for (const name of await readdir(folder)) {
    if (name === own) continue;
    const found = await ask(join(folder, name));
    if (found === "lives") return true;
    if (found === "ended") await rm(join(folder, name), { force: true });
  }
  return false;
}

/**
 * Makes this the only agent of a root; answers how to let go. Each agent listens at a socket of its own, and then looks for others:
 * of two that start at once the later one sees the earlier one, and both may leave. The sockets lie in a folder that only this user
 * may use: a name without a file would be anyone's to hold. The kernel ends a socket with its process, so none stands in the way
 * after a power cut.
 */
export async function holdLock(root: string): Promise<() => Promise<void>> {
  const { locks } = makePlaces(root);
  await mkdir(locks, { recursive: true, mode: 0o700 });
  const opened = await open(locks, constants.O_RDONLY | constants.O_DIRECTORY);
  // A socket's address has at most 107 characters; this one is short for any root.
  const folder = `/proc/self/fd/${opened.fd}`;
  const own = randomUUID();
  const server = createServer((socket) => socket.destroy());
  const letGo = async (): Promise<void> => {
    server.close();
    await once(server, "close");
    await opened.close();
  };
  server.listen({ path: join(folder, own) });
  await once(server, "listening");
  server.unref();
  if (!(await hasNeighbour(folder, own))) return letGo;
  await letGo();
  throw new AlreadyRuns(root);
}
