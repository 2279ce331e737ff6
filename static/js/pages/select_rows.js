// Rows of a list to change together: the checkboxes belong to the form with data-select-rows. One checkbox selects all
// rows of the page, and Shift with a click selects all rows between two. Buttons work when something is selected.

import { plural } from "../shared/translate.js";

/** @param {HTMLFormElement} form */
function wireSelection(form) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(`input[form="${form.id}"]`)]);
  const label = /** @type {HTMLElement} */ (form.querySelector("[data-select-page]"));
  const page = /** @type {HTMLInputElement} */ (label.querySelector("input"));
  const all = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=all]"));
  /** @type {HTMLInputElement | undefined} */
  let last;
  const update = () => {
    const n = boxes.filter((box) => box.checked).length;
    form.querySelector("[data-selected]").textContent =
      n && !all?.checked ? plural("%(n)s selected", "%(n)s selected", n) : "";
    page.checked = n === boxes.length;
    page.indeterminate = n > 0 && n < boxes.length;
    for (const button of form.querySelectorAll("button")) button.disabled = !(n || all?.checked);
    for (const box of [page, ...boxes]) box.disabled = Boolean(all?.checked);
  };
  /** @param {HTMLInputElement} box @param {boolean} withOthers */
  const select = (box, withOthers) => {
    const [from, to] = [boxes.indexOf(last ?? box), boxes.indexOf(box)].sort((a, b) => a - b);
    if (withOthers) for (const other of boxes.slice(from, to + 1)) other.checked = box.checked;
    last = box;
  };
  for (const box of boxes) box.addEventListener("click", (event) => select(box, event.shiftKey));
  page.addEventListener("change", () => {
    for (const box of boxes) box.checked = page.checked;
  });
  for (const box of [page, ...boxes, all]) box?.addEventListener("change", update);
  label.hidden = false;
  update();
}

for (const form of document.querySelectorAll("form[data-select-rows]")) {
  wireSelection(/** @type {HTMLFormElement} */ (/** @type {unknown} */ (form)));
}
