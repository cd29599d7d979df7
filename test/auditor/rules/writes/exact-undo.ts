import { dig, digPart } from "../../reading/files/dig.ts";
import { isOurs } from "../../reading/writes/hands.ts";
import { listChanged, type ObjectState } from "../../reading/writes/object-state.ts";
import { replayWrites, type ReplayedWrite } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

const key = "meshroll.dev/previous";

type Fields = ReadonlyMap<string, string | null>;

/** The fields in a `previous` annotation, by the map that holds them; undefined where it cannot be read. */
function readPrevious(text: string | undefined, isWorkload: boolean): Fields | undefined {
  if (text === undefined) return undefined;
  try {
    const previous: unknown = JSON.parse(text);
    const maps = isWorkload
      ? ([
          ["templateLabels", digPart(previous, "template", "labels")],
          ["templateAnnotations", digPart(previous, "template", "annotations")],
        ] as const)
      : ([["labels", digPart(previous, "labels")]] as const);
    return new Map(
      maps.flatMap(([map, fields]) =>
        Object.entries(fields).map(([name, value]) => [`${map} ${name}`, value as string | null] as const),
      ),
    );
  } catch {
    return undefined; // Its owner edited it, so it cannot be used.
  }
}

const steering = ["labels", "templateLabels", "templateAnnotations"] as const;

/** What a write changed among the fields that steer injection and restarts, with the earlier values. */
function listReplaced({ was, is }: ReplayedWrite): Fields {
  return new Map(
    steering.flatMap((map) => listChanged(was[map], is[map]).map((name) => [`${map} ${name}`, was[map][name] ?? null])),
  );
}

function readField(state: ObjectState, field: string): string | null {
  const [map = "", name = ""] = field.split(" ");
  return (state as unknown as Readonly<Record<string, Readonly<Record<string, string>>>>)[map]?.[name] ?? null;
}

/** Fields whose earlier value a move neither recorded nor had recorded by the move before it. */
function findUnkept(each: ReplayedWrite, kept: Fields, state: Fields | undefined): readonly string[] {
  const lost = [...listReplaced(each).keys()].filter((field) => !kept.has(field));
  const wrong = [...kept].filter(
    ([field, value]) => value !== readField(each.was, field) && value !== state?.get(field),
  );
  return [...lost, ...wrong.map(([field]) => field)];
}

/** Fields that an undo did not restore, or restored although the last write did not replace them. */
function findUnrestored(each: ReplayedWrite, state: Fields | undefined): readonly string[] {
  return [...listReplaced(each).keys()].filter(
    (field) => state === undefined || state.get(field) !== readField(each.is, field),
  );
}

/** Each move records exactly what it replaced, and each undo restores exactly that. */
export const undoIsExact = makeRule("undoIsExact", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    for (const each of replayWrites(cluster).writes) {
      const { write, was, isWorkload } = each;
      if (!isOurs(write) || listReplaced(each).size === 0) continue;
      found.judge();
      const written = dig(write.body, "metadata", "annotations", key);
      const state = readPrevious(was.annotations[key], isWorkload);
      const kept = typeof written === "string" ? readPrevious(written, isWorkload) : undefined;
      const wrong = kept === undefined ? findUnrestored(each, state) : findUnkept(each, kept, state);
      const what = kept === undefined ? "is neither a move that keeps it nor the undo of one" : "its undo is not kept";
      if (wrong.length > 0) found.refuse(cluster.name, write.path, `changes ${wrong.join(", ")}, and ${what}`);
    }
  }
});
