import fc from "fast-check";
import { expect, test } from "vitest";

import { addCounts, countFacets, countOf, hasAny } from "./facet-counts.ts";

const facets = fc.array(fc.nat(12), { maxLength: 30 });

test("what is counted together is what all of them have, facet by facet", () => {
  fc.assert(
    fc.property(facets, facets, facets, (a, b, c) => {
      const sum = addCounts(countFacets(a), countFacets(b), countFacets(c));
      const all = [...a, ...b, ...c];
      for (let facet = 0; facet <= 13; facet += 1) {
        const wanted = all.filter((each) => each === facet).length;
        expect([facet, countOf(sum, facet), hasAny(sum, [99, facet])]).toEqual([facet, wanted, wanted > 0]);
      }
    }),
  );
});

test("nothing of it is counted where there is nothing, or nobody asks", () => {
  expect(addCounts(countFacets([]), undefined, undefined)).toEqual([]);
  expect([countOf([], 0), hasAny(countFacets([3]), []), hasAny([], [3])]).toEqual([0, false, false]);
});

test("a sum keeps what it said when another one is made", () => {
  const first = addCounts(countFacets([1, 2]), countFacets([2]), undefined);
  addCounts(countFacets([5, 5, 6]), countFacets([7]), countFacets([8]));
  expect([countOf(first, 1), countOf(first, 2), countOf(first, 5)]).toEqual([1, 2, 0]);
});
