/** One change of a file's source, as it is loaded: `find` stands in it exactly once. */
export interface GuardEdit {
  /** Below the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const permits = "libs/plan/moves/permit/permit.ts";
const room = "libs/plan/moves/room/measure-room.ts";

/** A check of the permit that never has anything against a patch. */
function skipCheck(file: string, name: string, type: "Check" | "ItemCheck"): GuardEdit {
  const find = `const ${name}: ${type} = `;
  return { file, find, replace: `${find}() => undefined;\nconst ${name}Guarded: ${type} = ` };
}

/**
 * What each guard is without: a process that is started by `without-guard.ts` loads these files so. The product itself has no
 * switch. `npm run test:guards-seen` checks first that each edit fits.
 */
export const guardEdits = {
  "resource-version": [
    {
      file: "libs/kube/write/cluster-writer.ts",
      find: "    metadata: {\n      resourceVersion,",
      // The API server takes the write whatever the object's version is.
      replace: '    metadata: {\n      resourceVersion: "",',
    },
  ],
  "ledger-cas": [
    {
      file: "services/planner/main.ts",
      find: "repository,\n      bus: seen,",
      replace:
        "repository: (await import(process.env.MESHROLL_TEST_PUSH_ANYWAY)).pushAnyway(repository),\n      bus: seen,",
    },
  ],
  "job-id": [
    {
      file: "libs/queue/producer/bullmq-queue.ts",
      find: "  for (let isLastTry = false; ; isLastTry = true) {",
      replace:
        '  await queue.add(jobId, { nonce, job }, { ...jobOptions, jobId: jobId + "-" + nonce });\n  return "added";\n' +
        "  for (let isLastTry = false; ; isLastTry = true) {",
    },
  ],
  lock: [skipCheck(permits, "checkLock", "Check")],
  "cluster-uid": [skipCheck(permits, "checkIdentity", "Check")],
  "workload-uid": [{ file: permits, find: "judged.workload.uid !== item.uid", replace: "false" }],
  control: [skipCheck(permits, "checkControl", "Check"), skipCheck(permits, "checkConfirmed", "ItemCheck")],
  stops: [
    {
      file: permits,
      find: "const stop = snapshot.stops.find((each) => isWholeJob",
      replace: "const stop = [].find((each) => isWholeJob",
    },
    skipCheck(permits, "checkItemStops", "ItemCheck"),
  ],
  calendar: [skipCheck(permits, "checkCalendar", "ItemCheck")],
  "target-ready": [skipCheck(permits, "checkRevision", "ItemCheck")],
  unavailable: [
    {
      file: room,
      find: "if (isRollback) return Number.POSITIVE_INFINITY;",
      replace: "if (isRollback || true) return Number.POSITIVE_INFINITY;",
    },
  ],
  room: [
    {
      file: room,
      find: "if (rolling < batchSize) return",
      replace: "return batchSize;\n  if (rolling < batchSize) return",
    },
  ],
  pace: [{ file: room, find: "if (next <= facts.now) return batchSize;", replace: "return batchSize;" }],
  "take-back": [
    {
      file: "libs/plan/moves/plan-remediation.ts",
      find: "if (each.run !== undefined || !isWritable(each) || !mayTakeBack(snapshot)) return [];",
      replace: "return [];",
    },
  ],
} as const satisfies Readonly<Record<string, readonly GuardEdit[]>>;

export type GuardName = keyof typeof guardEdits;

/** The source without the guard. Throws where an edit does not fit: a guard that is not off would seem to hold. */
export function applyEdits(source: string, edits: readonly GuardEdit[]): string {
  return edits.reduce((text, { file, find, replace }) => {
    if (text.split(find).length !== 2)
      throw new Error(`${file} has this not exactly once, guard-edits.ts says so: ${find}`);
    return text.replace(find, () => replace);
  }, source);
}

/** The environment of a process whose source is loaded without a guard. */
export function describeWithoutGuard(guard: string): Readonly<Record<string, string>> {
  const hook = new URL("without-guard.ts", import.meta.url).href;
  return { NODE_OPTIONS: `--import=${hook}`, MESHROLL_TEST_WITHOUT_GUARD: guard };
}
