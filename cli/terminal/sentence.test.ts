import { expect, test } from "vitest";

import { splitLastCommand } from "./sentence.ts";

test.each([
  {
    name: "a command of ours at the end",
    text: 'nothing to retry: once a person ends the hold: meshroll unhold bucket/x --reason "…"',
    want: ["nothing to retry: once a person ends the hold: ", { command: 'meshroll unhold bucket/x --reason "…"' }],
  },
  { name: "one of kubectl", text: "else: kubectl get pods", want: ["else: ", { command: "kubectl get pods" }] },
  {
    name: "the name of the program inside of it",
    text: "meshroll did not write it",
    want: "meshroll did not write it",
  },
])("a sentence is split before $name", ({ text, want }) => expect(splitLastCommand(text)).toEqual(want));
