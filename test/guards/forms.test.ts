import { newestFormat } from "#libs/input";
import { expect, test } from "vitest";

import { readForms, readReleased } from "../formats/fixture.ts";
import { describeForms, type Form, type Forms } from "../formats/forms.ts";
import { judgeForms } from "../formats/judge-forms.ts";

const own = describeForms();
const versions = { version: newestFormat, released: readReleased() };

test("no record has another form than the one that was kept for this version", () => {
  expect(judgeForms(readForms(newestFormat), own, versions)).toEqual([]);
});

/** The forms with one of them changed, as JSON: what a later tree would describe. */
function plant(kind: string, change: (form: { properties: Record<string, Form>; required?: string[] }) => void): Forms {
  const copy = structuredClone(own) as Record<string, never>;
  change(copy[kind]!);
  return copy;
}

const planted: readonly { readonly name: string; readonly forms: Forms; readonly want: string }[] = [
  {
    name: "a field more",
    forms: plant("batch", ({ properties }) => void (properties["priority"] = { type: "number" })),
    want: 'batch: properties.priority was nothing and is {"type":"number"}',
  },
  {
    name: "a field less",
    forms: plant("ledger run", ({ properties }) => void delete properties["author"]),
    want: 'ledger run: properties.author was {"description":"text, cut at 200","type":"string"} and is nothing',
  },
  {
    name: "an identifier of another kind",
    forms: plant("ledger stop", ({ properties }) => void (properties["id"] = properties["revertTo"]!)),
    want: 'ledger stop: properties.id.description was "1 to 80 letters, digits, - or _, no computed stop" and is "a whole commit id"',
  },
  {
    name: "a needed field that may be absent now",
    forms: plant("control state", ({ required }) => void required?.splice(required.indexOf("beat"), 1)),
    want: "control state: required was ",
  },
  {
    name: "one word more in a choice",
    forms: plant(
      "ledger run",
      ({ properties }) => void (properties["state"] = { ...properties["state"], enum: ["open", "asleep"] }),
    ),
    want: 'ledger run: properties.state.enum was ["open","done","empty","gone"] and is ["open","asleep"]',
  },
  {
    name: "a form that is checked by hand",
    forms: plant("cluster facts", ({ properties }) => void (properties["count"] = { type: "integer", minimum: 0 })),
    want: "cluster facts: properties.count.minimum was -1 and is 0",
  },
  {
    name: "an event of a new kind",
    forms: { ...own, "event run.v1.later": { type: "object" } },
    want: 'event run.v1.later: the whole form was nothing and is {"type":"object"}',
  },
];

test.each(planted)("a change of form without a new version is refused: $name", ({ forms, want }) => {
  const complaints = judgeForms(own, forms, { version: 2, released: 0 });

  expect(complaints[0]).toContain(want);
  expect(complaints.at(-1)).toContain("raise newestFormat in libs/input/format.ts to 3");
  expect(complaints.at(-1)).toContain("npm run test:formats -- forms 2");
});

test("once a build that writes the version was released, its form is not recorded again", () => {
  const complaints = judgeForms(own, { ...own, batch: {} }, { version: 2, released: 2 });

  expect(complaints.at(-1)).toContain("a released build writes version 2: raise newestFormat");
  expect(complaints.at(-1)).not.toContain("test:formats -- forms");
});
