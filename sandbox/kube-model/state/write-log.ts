import { lookUp } from "#libs/input";
import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import type { ApiTarget } from "../objects/api-path.ts";
import type { Writer } from "../objects/managed-fields.ts";
import { selectOne } from "./select-objects.ts";
import type { State } from "./state.ts";

/** One request that wanted to change something, as an audit log has it. */
export interface WriteRecord {
  /** Epoch ms of the model's clock. */
  readonly at: number;
  /** As Kubernetes' audit log names it. */
  readonly verb: "patch" | "create" | "update" | "delete" | "deletecollection";
  /** With its subresource, where it names one: `…/pods/web-1/eviction`. */
  readonly path: string;
  readonly user: string;
  readonly fieldManager: string;
  /** Of a patch: which kind of patch. */
  readonly contentType?: string;
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
  /** Keeps a request that the model does not serve: that it was sent is what an audit has to know. */
  note(request: ApiRequest, target: ApiTarget | undefined, response: ApiResponse): ApiResponse;
}

const VERBS: Readonly<Record<string, WriteRecord["verb"]>> = { PATCH: "patch", POST: "create", PUT: "update" };

function nameVerb({ method }: ApiRequest, target: ApiTarget | undefined): WriteRecord["verb"] {
  if (method !== "DELETE") return lookUp(VERBS, method) ?? "patch";
  return target !== undefined && target.name === undefined ? "deletecollection" : "delete";
}

/** What the request itself says of the write. */
function describeRequest(request: ApiRequest, target: ApiTarget | undefined): Omit<WriteRecord, "at" | "status"> {
  const { path, user, contentType, body, query } = request;
  return {
    verb: nameVerb(request, target),
    path,
    user,
    fieldManager: query.get("fieldManager") ?? "unknown",
    ...(contentType === undefined ? {} : { contentType }),
    body,
  };
}

export function createWriteLog(state: State): WriteLog {
  const writes: WriteRecord[] = [];
  const listeners = new Set<(write: WriteRecord) => void>();
  const keep = (record: WriteRecord) => {
    writes.push(record);
    for (const listener of listeners) listener(record);
  };
  return {
    writes,
    listeners,
    record: (request, target, write) => {
      const described = describeRequest(request, target);
      const operation = request.query.get("operation") === "Apply" ? "Apply" : "Update";
      const before = selectOne(state, target)?.rv;
      const response = write({ manager: described.fieldManager, operation });
      const after = selectOne(state, target)?.rv;
      keep({
        ...described,
        at: state.clock.now(),
        status: response.status,
        ...(before === undefined ? {} : { before: String(before) }),
        ...(after === undefined ? {} : { after: String(after) }),
      });
      return response;
    },
    note: (request, target, response) => {
      keep({ ...describeRequest(request, target), at: state.clock.now(), status: response.status });
      return response;
    },
  };
}
