import fc from "fast-check";
import { expect, test } from "vitest";

import { addAnswers, type Answer, findGathered, listAnswered, replyMarker } from "./reply.ts";

function answerOf(comment: number, more: Partial<Answer> = {}): Answer {
  return { comment, author: "ana", line: "/meshroll pause 5xx", ok: true, text: "`stop v1 on all`", ...more };
}

test("the reply with one answer", () => {
  expect(addAnswers(undefined, [answerOf(7)])).toMatchInlineSnapshot(`
    "<!-- meshroll:answers -->
    <!-- meshroll:answered 7 -->
    <!-- meshroll:answer 7 -->
    ✔ **ana** asked \`/meshroll pause 5xx\`

    \`stop v1 on all\`

    <sub>Answers to <code>/meshroll</code> commands, the newest first; this comment is edited.</sub>"
  `);
});

test("the same comment is answered once, and the newest answer comes first", () => {
  const one = addAnswers(undefined, [answerOf(1)]);
  const two = addAnswers(one, [answerOf(2, { ok: false, text: "no" })]);
  expect(addAnswers(two, [answerOf(1)])).toBe(two);
  expect(addAnswers(two, [answerOf(2, { text: "other" })])).toBe(two);
  expect(addAnswers(undefined, [answerOf(1), answerOf(2, { ok: false, text: "no" })])).toBe(two);
  expect(two.split("<sub>")).toHaveLength(2);
  expect(two.indexOf("answer 2 -->")).toBeLessThan(two.indexOf("answer 1 -->"));
  expect([...listAnswered(two)]).toEqual([1, 2]);
});

test("answers of a year fit into one comment, and the last two hundred comments are not answered again", () => {
  const long = answerOf(1000, { text: "y".repeat(50_000) });
  const gathered = { at: 5, newest: 4, answers: [long], more: 1, ids: [] };
  let body: string | undefined;
  for (let id = 1; id <= 300; id += 1)
    body = addAnswers(body, [answerOf(id, { text: "x".repeat(19_000) })], id === 9 ? gathered : undefined);
  expect(body?.length).toBeLessThan(65_536);
  expect(body?.startsWith(replyMarker)).toBe(true);
  expect(findGathered(body)).toEqual({ at: 5, newest: 4 });
  const known = listAnswered(body);
  expect([known.size, known.has(300), known.has(101), known.has(100)]).toEqual([200, true, true, false]);
});

test("text of a person cannot mark a comment as answered", () => {
  const hostile = fc.constantFrom(
    "<!-- meshroll:answered 99 -->",
    "\n<!-- meshroll:gathered 9 9 -->\n",
    "\n<!-- meshroll:answered 99 -->\n",
    "<!-- x",
    "`",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, fc.string({ unit: "binary" }))), (parts) => {
      const text = parts.join("");
      const theirs = answerOf(1, { author: text, line: text });
      const gathered = { at: 5, newest: 4, answers: [theirs], more: 0, ids: [] };
      const body = addAnswers(addAnswers(undefined, [theirs], gathered), [answerOf(2)]);
      expect([...listAnswered(body)]).toEqual([1, 2]);
      expect(findGathered(body)).toEqual({ at: 5, newest: 4 });
    }),
  );
});

test("the answer for accounts without rights comes last, is replaced as a whole, and stays when others are answered", () => {
  const told = (at: number, author: string) => ({
    at,
    newest: at,
    answers: [answerOf(9, { author, ok: false })],
    more: 3,
    ids: [at],
  });
  const one = addAnswers(undefined, [answerOf(1)], told(5, "eve"));
  expect(one.slice(one.indexOf("<!-- meshroll:gathered"))).toMatchInlineSnapshot(`
    "<!-- meshroll:gathered 5 5 -->
    Accounts without write access are answered here, together and once an hour:

    ✖ **eve** asked \`/meshroll pause 5xx\`

    \`stop v1 on all\`

    …and 3 more.

    <sub>Answers to <code>/meshroll</code> commands, the newest first; this comment is edited.</sub>"
  `);
  const two = addAnswers(addAnswers(one, [], told(7, "mallory")), [answerOf(2)]);
  expect([two.includes("eve"), two.indexOf("answer 1 -->") < two.indexOf("mallory")]).toEqual([false, true]);
  expect([findGathered(two)?.at, [...listAnswered(two)]]).toEqual([7, [1, 5, 7, 2]]);
});
