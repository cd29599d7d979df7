import { describe, expect, it } from "vitest";

import { checkFolderSizes, checkRoomList } from "../../scripts/guards/folders.ts";

function fill(folder: string, count: number, ending = ".ts"): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${folder}/file-${index}${ending}`);
}

describe("at most a dozen files are flat in a folder", () => {
  const cases: readonly {
    readonly name: string;
    readonly paths: readonly string[];
    readonly want: readonly string[];
  }[] = [
    { name: "a dozen", paths: fill("libs/git/read", 12), want: [] },
    { name: "one more", paths: fill("libs/git/read", 13), want: ["libs/git/read"] },
    { name: "a dozen and a door", paths: [...fill("libs/git", 12), "libs/git/index.ts"], want: [] },
    { name: "a dozen with tests", paths: [...fill("cli", 12), ...fill("cli", 12, ".test.ts")], want: [] },
    { name: "a dozen here and a dozen below", paths: [...fill("cli", 12), ...fill("cli/a", 12)], want: [] },
    { name: "scripts count", paths: [...fill("scripts", 12), "scripts/setup.mjs"], want: ["scripts"] },
    { name: "pages do not", paths: fill("docs/adr", 40, ".md"), want: [] },
    { name: "other people's files do not", paths: fill("test/fixtures/x", 40), want: [] },
  ];

  it.each(cases)("$name", ({ paths, want }) => expect(checkFolderSizes(paths).map(({ path }) => path)).toEqual(want));
});

describe("each folder of a house has a place in its order", () => {
  const cases: readonly { readonly path: string; readonly want: readonly string[] }[] = [
    { path: "libs/git/read/read-tree.ts", want: [] },
    { path: "libs/git/attic/x.ts", want: ["libs/git/attic"] },
    { path: "libs/new/room/x.ts", want: ["libs/new/room"] },
    { path: "libs/new/x.ts", want: [] },
    { path: "services/planner/attic/x.ts", want: ["services/planner/attic"] },
    { path: "services/planner/pull-requests/judging/x.ts", want: [] },
    { path: "sandbox/github/attic/x.ts", want: ["sandbox/github/attic"] },
    { path: "cli/attic/x.ts", want: ["cli/attic"] },
    { path: "test/flow/attic/x.ts", want: ["test/flow/attic"] },
    { path: "test/anything/x/y.ts", want: [] },
  ];

  it.each(cases)("$path", ({ path, want }) =>
    expect(checkRoomList([path, path]).map((each) => each.path)).toEqual(want),
  );
});
