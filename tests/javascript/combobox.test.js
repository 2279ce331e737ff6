import assert from "node:assert/strict";
import { test } from "node:test";
import { nextIndex } from "../../static/js/shared/combobox.js";

test("the arrow keys go around the options, and begin at the first or the last", () => {
  assert.equal(nextIndex(-1, 1, 3), 0);
  assert.equal(nextIndex(-1, -1, 3), 2);
  assert.equal(nextIndex(2, 1, 3), 0);
  assert.equal(nextIndex(0, -1, 3), 2);
  assert.equal(nextIndex(0, 1, 3), 1);
});

test("without options there is none to go to", () => {
  assert.equal(nextIndex(-1, 1, 0), -1);
});
