// A field that filters a list by the words in its links: <input data-filters="id of the list">, hidden without a
// script. An element with data-filtered-out="id of the list" is visible while no link matches.

/**
 * Whether each word of `query` is in `text`, without regard to case.
 * @param {string} text
 * @param {string} query
 */
export function matchesWords(text, query) {
  const folded = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** @param {HTMLInputElement} field */
function wireFilter(field) {
  const id = /** @type {string} */ (field.dataset.filters);
  const list = /** @type {HTMLElement} */ (document.getElementById(id));
  const empty = /** @type {HTMLElement} */ (document.querySelector(`[data-filtered-out="${id}"]`));
  field.hidden = false;
  field.addEventListener("input", () => {
    const entries = /** @type {HTMLElement[]} */ ([...list.children]);
    for (const entry of entries) entry.hidden = !matchesWords(entry.textContent, field.value);
    empty.hidden = entries.some((entry) => !entry.hidden);
  });
  field.closest("details")?.addEventListener("toggle", () => field.focus());
}

if (globalThis.document) {
  for (const field of document.querySelectorAll("input[data-filters]")) {
    wireFilter(/** @type {HTMLInputElement} */ (field));
  }
}
