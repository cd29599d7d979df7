import { lookUp } from "#libs/input";
import type { ApiRequest, ApiResponse } from "./messages.ts";
import type { ApiTarget } from "./api-path.ts";
import type { Writer } from "./managed-fields.ts";
import { selectOne } from "./select-objects.ts";
import type { State } from "./state.ts";

/** One request that wanted to change something, as an audit log has it. */
export interface WriteRecord {
  /** Epoch ms of the model's clock. */
  readonly at: number;
  readonly verb: "patch" | "create" | "delete";
  readonly path: string;
  readonly user: string;
  readonly fieldManager: string;
  /** HTTP status; only below 300 was anything written. */
  readonly status: number;
  /** resourceVersion before and after; absent when the object was not there. */
  readonly before?: string;
  readonly after?: string;
  readonly body: unknown;
}

export interface WriteLog {
  readonly writes: WriteRecord[];
  readonly listeners: Set<(write: WriteRecord) => void>;
  /** Does the write and keeps what it did. */
  record(request: ApiRequest, target: ApiTarget, write: (writer: Writer) => ApiResponse): ApiResponse;
}

const VERBS: Readonly<Record<string, WriteRecord["verb"]>> = { PATCH: "patch", POST: "create", DELETE: "delete" };

export function createWriteLog(state: State): WriteLog {
  const writes: WriteRecord[] = [];
  const listeners = new Set<(write: WriteRecord) => void>();
  return {
    writes,
    listeners,
    record: (request, target, write) => {
      const manager = request.query.get("fieldManager") ?? "unknown";
      const operation = request.query.get("operation") === "Apply" ? "Apply" : "Update";
      const before = selectOne(state, target)?.rv;
      const response = write({ manager, operation });
      const after = selectOne(state, target)?.rv;
      const record: WriteRecord = {
        at: state.clock.now(),
        verb: lookUp(VERBS, request.method) ?? "patch",
        path: request.path,
        user: request.user,
        fieldManager: manager,
        status: response.status,
        ...(before === undefined ? {} : { before: String(before) }),
        ...(after === undefined ? {} : { after: String(after) }),
        body: request.body,
      };
      writes.push(record);
      for (const listener of listeners) listener(record);
      return response;
    },
  };
}
