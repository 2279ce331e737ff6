import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fromCodePoints,
  isSamePlace,
  mergeEvidence,
  sameEvidence,
  toCodePoints,
  withPassages,
} from "../../static/js/workspace/passages.js";

const passage = (start, stance = "supports") => ({ paragraph: "p1", start, end: start + 5, stance, text: "words" });

test("a passage that is attached again takes the new stance", () => {
  const attached = withPassages([passage(0), passage(9)], [passage(0)], "contradicts");
  assert.deepEqual(
    attached.map(({ start, stance }) => [start, stance]),
    [
      [9, "supports"],
      [0, "contradicts"],
    ],
  );
});

test("the evidence of two answers is merged, and the first decides on the stance", () => {
  const merged = mergeEvidence([passage(0, "contradicts")], [passage(0), passage(9)]);
  assert.deepEqual(
    merged.map(({ start, stance }) => [start, stance]),
    [
      [0, "contradicts"],
      [9, "supports"],
    ],
  );
});

test("evidence is the same with the same places and stances in the same order", () => {
  assert.ok(isSamePlace(passage(0), passage(0, "contradicts")));
  assert.ok(sameEvidence([passage(0)], [passage(0)]));
  assert.ok(!sameEvidence([passage(0)], [passage(0, "contradicts")]));
  assert.ok(!sameEvidence([passage(0)], [passage(0), passage(9)]));
});

test("offsets are stored in code points", () => {
  const text = "a😀b";
  assert.equal(toCodePoints(text, 3), 2);
  assert.equal(fromCodePoints(text, 2), 3);
});
