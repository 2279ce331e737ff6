// The editor of a TOML text, as a form or as text: a chosen file is read into the field, the link of a problem selects
// its line or field, and a page that is left with unsaved changes warns.

/** @type {HTMLTextAreaElement} */
const editor = document.querySelector("[data-source]");
/** @type {HTMLInputElement | null} */
const upload = document.querySelector("[data-source-file]");
const form = /** @type {HTMLFormElement} */ (editor.form);
const MAX_SIZE = 800_000; // bytes

upload?.addEventListener("change", async () => {
  const file = upload.files?.[0];
  if (!file || file.size > MAX_SIZE) return;
  const bytes = await file.arrayBuffer();
  try {
    editor.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    upload.value = "";
    editor.dispatchEvent(new Event("input", { bubbles: true })); // for the preview
  } catch {
    // The server reports the line that is not UTF-8.
  }
});

/** @param {number} number */
function selectLine(number) {
  const lines = editor.value.split("\n");
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  editor.focus();
  editor.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  editor.scrollTop = Math.max(0, (number - 5) * parseFloat(getComputedStyle(editor).lineHeight));
}

document.addEventListener("click", (/** @type {Event} */ event) => {
  const link = /** @type {ElementEvent} */ (event).target.closest("[data-line], [data-field-link]");
  if (!link) return;
  event.preventDefault();
  if (link.dataset.line) selectLine(Number(link.dataset.line));
  else focusField(link.hash.slice(1));
});

/**
 * Move the focus to a field, or to the first field of a part or condition; unfold what it is in.
 * @param {string} id
 */
function focusField(id) {
  const target = document.getElementById(id);
  let part = target.closest("details");
  while (part) {
    part.open = true;
    part = part.parentElement?.closest("details") ?? null;
  }
  const field = target.matches("fieldset, details") ? target.querySelector("input, textarea, select") : target;
  field?.focus();
  target.scrollIntoView({ block: "center" });
}

// Which parts are unfolded is sent, so that they are when the page comes again.
form.addEventListener("formdata", ({ formData }) => {
  for (const { id } of form.querySelectorAll("details[open]")) formData.append("open", id);
});

/** @param {PageElement} field */
function isChanged(field) {
  if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

/** @returns {NodeListOf<PageElement>} */
const fields = () => form.querySelectorAll("input, select, textarea"); // buttons have a value and no default
const isSaved = () => !("checked" in form.dataset) && ![...fields()].some(isChanged);
/** @param {Event} event */
const warn = (event) => isSaved() || event.preventDefault();
window.addEventListener("beforeunload", warn);
form.addEventListener("submit", ({ submitter }) => {
  const opensTab = /** @type {HTMLButtonElement | null} */ (submitter)?.formTarget === "_blank";
  if (!opensTab) window.removeEventListener("beforeunload", warn);
});
