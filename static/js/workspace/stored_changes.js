// The changes of the response in the page that undo takes back, stored for this tab, so that undo goes on after a
// reload. Signing out removes them (clear_cache.js).

import { sameAnswers } from "./sheet.js";

/** @typedef {import("./answering.js").AnswerChange} AnswerChange */
/**
 * @typedef {object} StoredChanges
 * @property {string} assignment
 * @property {{ item: string, answers: Answers | null, evidence: Passage[], draft: Answers | null }[]} changes
 * @property {Record<string, Answers | null>} answers those of the changed items after the last change
 */

const MAX_CHANGES = 50;

/** @param {Work} work */
const keyOf = ({ rater }) => `factuary:undo:${rater}`;

/**
 * Stores the last changes of the response in the page.
 * @param {Work} work
 * @param {(AnswerChange | SheetChange)[]} changes those before the step to this response are left out
 */
export function storeChanges(work, changes) {
  const first = changes.findLastIndex((change) => "leftAssignment" in change) + 1;
  const own = /** @type {AnswerChange[]} */ (changes.slice(first)).slice(-MAX_CHANGES);
  /** @type {StoredChanges} */
  const stored = {
    assignment: work.id,
    changes: own.map(({ item, answers, evidence, draft }) => ({ item: item.id, answers, evidence, draft })),
    answers: Object.fromEntries(own.map(({ item }) => [item.id, item.answers])),
  };
  try {
    sessionStorage.setItem(keyOf(work), JSON.stringify(stored));
  } catch {
    // Storage is full or forbidden: undo ends at a reload.
  }
}

/**
 * The stored changes of the response, without those of items whose answers were changed elsewhere since.
 * @param {Work} work
 * @param {Item[]} items
 * @returns {AnswerChange[]}
 */
export function restoreChanges(work, items) {
  /** @type {StoredChanges | null} */
  const stored = JSON.parse(sessionStorage.getItem(keyOf(work)) ?? "null");
  if (stored?.assignment !== work.id) return [];
  return stored.changes.flatMap(({ item: id, ...change }) => {
    const item = items.find((each) => each.id === id);
    return item && sameAnswers(item.answers, stored.answers[id]) ? [{ ...change, item }] : [];
  });
}
