import { describe, expect, it } from "vitest";
import { checkLinks } from "../../scripts/guards/links.ts";

const paths = ["README.md", "docs/README.md", "docs/adr/0001-x.md"];

describe("a broken link is refused", () => {
  const cases = [
    { name: "a file that is not there", path: "README.md", text: "[x](docs/nowhere.md)", wantLines: [1] },
    { name: "a folder too deep", path: "docs/README.md", text: "\n[x](../adr/0001-x.md)", wantLines: [2] },
    { name: "two bad links in a line", path: "README.md", text: "[x](a.md) [y](b.md)", wantLines: [1, 1] },
    { name: "a file", path: "README.md", text: "[x](docs/README.md)", wantLines: [] },
    { name: "a file from a folder", path: "docs/adr/0001-x.md", text: "[x](../../README.md)", wantLines: [] },
    { name: "a place in a file", path: "README.md", text: "[x](docs/README.md#top)", wantLines: [] },
    { name: "a folder", path: "README.md", text: "[x](docs/adr/)", wantLines: [] },
    { name: "an address", path: "README.md", text: "[x](https://istio.io/latest)", wantLines: [] },
    { name: "a place in the same file", path: "README.md", text: "[x](#top)", wantLines: [] },
    { name: "something else than a document", path: "cli/a.ts", text: "[x](nowhere.md)", wantLines: [] },
  ];

  it.each(cases)("$name", ({ path, text, wantLines }) => {
    expect(checkLinks(path, text, paths).map(({ line }) => line)).toEqual(wantLines);
  });
});
