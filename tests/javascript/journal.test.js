import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeComments, typedText, TypedTexts } from "../../static/js/offline/journal.js";
import { expiredReceipts, isBookmark } from "../../static/js/offline/outbox.js";

const SECOND = 1_000;
const HOUR = 3600 * SECOND;

test("of two comments neither is lost", () => {
  assert.equal(mergeComments("mine", "theirs"), "theirs\nmine");
  assert.equal(mergeComments("mine", "theirs", "mine"), "theirs", "only the other was changed");
  assert.equal(mergeComments("mine", "before", "before"), "mine", "only one's own was changed");
  assert.equal(mergeComments("a and b", "a"), "a and b");
  assert.equal(mergeComments("a", "a and b"), "a and b");
  assert.equal(mergeComments("", "theirs"), "theirs");
});

function journalOf() {
  const records = new Map();
  return { records, put: (_, record) => records.set(record.place, record), remove: (_, key) => records.delete(key) };
}

test("typed text is stored until it is removed", () => {
  const journal = journalOf();
  const texts = new TypedTexts(journal);
  const item = { id: "i1", assignment: "a1", comment: "stored" };
  texts.put(item, "comment", "typed");
  assert.equal(typedText(item, "comment"), "typed");
  const { place, was, text } = journal.records.get("i1 comment");
  assert.deepEqual([place, was, text], ["i1 comment", "stored", "typed"]);
  texts.remove(item, "comment");
  assert.equal(typedText(item, "comment"), undefined);
  assert.equal(journal.records.size, 0);
});

test("a comment from elsewhere is merged with what is typed, and dropped from the journal when both are equal", () => {
  const journal = journalOf();
  const texts = new TypedTexts(journal);
  const item = { id: "i1", assignment: "a1", comment: "", answers: {} };
  texts.put(item, "comment", "mine");
  texts.mergeComment(item, "theirs");
  assert.equal(typedText(item, "comment"), "theirs\nmine");
  assert.equal(item.comment, "theirs");
  texts.mergeComment(item, "theirs\nmine");
  assert.equal(typedText(item, "comment"), undefined);
  assert.equal(journal.records.size, 0);
});

test("receipts expire a minute after the response is finished, or after a day", () => {
  const now = 100 * HOUR;
  const receipt = (key, assignment, age, more = {}) => ({
    key,
    assignment,
    stored: { version: 1, at: now - age },
    ...more,
  });
  const receipts = [
    receipt("finished", "a1", 2 * HOUR),
    receipt("finish", "a1", HOUR, { finishes: true }),
    receipt("unfinished", "a2", 2 * HOUR),
    receipt("old", "a2", 25 * HOUR),
    receipt("recent", "a3", 30 * SECOND),
    receipt("recent finish", "a3", 20 * SECOND, { finishes: true }),
  ];
  assert.deepEqual(
    expiredReceipts(receipts, now).map(({ key }) => key),
    ["finished", "finish", "old"],
  );
});

test("an entry with `marks` is a bookmark, set or removed", () => {
  assert.deepEqual([{ marks: true }, { marks: false }, { answers: {} }].map(isBookmark), [true, true, false]);
});
