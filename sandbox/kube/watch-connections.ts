import type { ServerResponse } from "node:http";

import type { KubeModel, WatchEvent } from "#fakes/kube";

/** The open watches of one server. */
export interface WatchConnections {
  /** Streams the collection's events to the response until one side ends it. */
  serve(response: ServerResponse, path: string, version: string, seconds: number): void;
  cut(): void;
  end(): void;
  write(text: string): void;
  stall(): void;
  bookmark(): void;
  /** Ends all, cleanly. */
  close(): void;
}

interface OpenWatch {
  readonly path: string;
  readonly response: ServerResponse;
  stalled: boolean;
}

export function createWatchConnections(model: KubeModel, bookmarkMs: number): WatchConnections {
  const open = new Set<OpenWatch>();
  const bookmark = () => {
    for (const watch of open) send(model, watch, model.api.bookmark(watch.path));
  };
  const end = () => open.forEach(({ response }) => response.end());
  const timer = setInterval(bookmark, bookmarkMs);
  timer.unref();
  const stall = () => open.forEach((watch) => void (watch.stalled = true));
  const stopStalling = model.faults.onStall(stall);
  return {
    bookmark,
    serve: (response, path, version, seconds) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "transfer-encoding": "chunked",
        date: new Date(model.clock.now()).toUTCString(),
      });
      // The head must reach the client before the first event, or a quiet watch looks like no answer.
      response.flushHeaders();
      const watch: OpenWatch = { path, response, stalled: false };
      open.add(watch);
      const unwatch = model.api.watch(path, version, (event) => send(model, watch, event));
      const limit = setTimeout(() => response.end(), seconds * 1000);
      response.on("close", () => {
        clearTimeout(limit);
        open.delete(watch);
        unwatch();
      });
    },
    cut: () => open.forEach(({ response }) => response.socket?.destroy()),
    write: (text) => open.forEach(({ response }) => response.write(text)),
    stall,
    end,
    close: () => {
      stopStalling();
      clearInterval(timer);
      end();
    },
  };
}

function send(model: KubeModel, { response, stalled }: OpenWatch, event: WatchEvent): void {
  if (stalled || response.writableEnded) return;
  // A server that is away breaks its watches the moment it should have said something.
  if (model.faults.isUnavailable()) return void response.socket?.destroy();
  response.write(`${JSON.stringify(event)}\n`);
  // The API server ends a watch after it sent an error.
  if (event.type === "ERROR") response.end();
}
