import fc from "fast-check";
import { expect, test } from "vitest";

import { addAnswer, type Answer, listAnswered, replyMarker } from "./reply.ts";

function answerOf(comment: number, more: Partial<Answer> = {}): Answer {
  return { comment, author: "ana", line: "/meshroll pause 5xx", ok: true, text: "`stop v1 on all`", ...more };
}

test("one answer reads as it should", () => {
  expect(addAnswer(undefined, answerOf(7))).toMatchInlineSnapshot(`
    "<!-- meshroll:answers -->
    <!-- meshroll:answered 7 -->
    <!-- meshroll:answer 7 -->
    ✔ **ana** asked \`/meshroll pause 5xx\`

    \`stop v1 on all\`

    <sub>Answers to <code>/meshroll</code> commands, the newest first; this comment is edited.</sub>"
  `);
});

test("the same comment is answered once, and the newest answer stands first", () => {
  const one = addAnswer(undefined, answerOf(1));
  const two = addAnswer(one, answerOf(2, { ok: false, text: "no" }));
  expect(addAnswer(two, answerOf(1))).toBe(two);
  expect(addAnswer(two, answerOf(2, { text: "other" }))).toBe(two);
  expect(two.indexOf("answer 2 -->")).toBeLessThan(two.indexOf("answer 1 -->"));
  expect([...listAnswered(two)]).toEqual([1, 2]);
});

test("answers of a year fit into one comment, and none of the last two hundred is forgotten", () => {
  let body: string | undefined;
  for (let id = 1; id <= 300; id += 1) body = addAnswer(body, answerOf(id, { text: "x".repeat(19_000) }));
  expect(body?.length).toBeLessThan(65_536);
  expect(body?.startsWith(replyMarker)).toBe(true);
  const known = listAnswered(body);
  expect([known.size, known.has(300), known.has(101), known.has(100)]).toEqual([200, true, true, false]);
});

test("no text of a person makes an answered comment of one that is not", () => {
  const hostile = fc.constantFrom("<!-- meshroll:answered 99 -->", "\n<!-- meshroll:answered 99 -->\n", "<!-- x", "`");
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, fc.string({ unit: "binary" }))), (parts) => {
      const text = parts.join("");
      const body = addAnswer(undefined, answerOf(1, { author: text, line: text }));
      expect([...listAnswered(addAnswer(body, answerOf(2)))]).toEqual([1, 2]);
    }),
  );
});
