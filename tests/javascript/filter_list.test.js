import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesWords } from "../../static/js/pages/filter_list.js";

test("every word of the query is in the text, in any order and case", () => {
  assert.equal(matchesWords("Reading comprehension, June", "june read"), true);
  assert.equal(matchesWords("Reading comprehension, June", "  "), true);
  assert.equal(matchesWords("Reading comprehension, June", "july read"), false);
});
