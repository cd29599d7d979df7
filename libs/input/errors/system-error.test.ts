import { expect, it } from "vitest";

import { explainSystemError, placeSystemError } from "./system-error.ts";

function make(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code}: words of Node`), { code, ...more });
}

const cases: readonly {
  readonly name: string;
  readonly error: unknown;
  readonly why: string;
  readonly placed: string;
}[] = [
  {
    name: "a file that is not there",
    error: make("ENOENT", { path: "/nowhere" }),
    why: "there is no such file",
    placed: "/nowhere: there is no such file",
  },
  {
    name: "no right",
    error: make("EACCES"),
    why: "this user has no right to it",
    placed: "this user has no right to it",
  },
  {
    name: "a refused connection",
    error: make("ECONNREFUSED"),
    why: "the connection was refused",
    placed: "the connection was refused",
  },
  {
    name: "a code without words",
    error: make("EWEIRD"),
    why: "EWEIRD: words of Node",
    placed: "EWEIRD: words of Node",
  },
  {
    name: "a code that is a name of every object",
    error: make("constructor"),
    why: "constructor: words of Node",
    placed: "constructor: words of Node",
  },
  { name: "an error without a code", error: new Error("it broke"), why: "it broke", placed: "it broke" },
  { name: "what is no error", error: "it broke", why: "it broke", placed: "it broke" },
];

it.each(cases)("$name: $placed", ({ error, why, placed }) => {
  expect(explainSystemError(error)).toBe(why);
  expect(placeSystemError(error)).toBe(placed);
});
