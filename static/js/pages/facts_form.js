// The form of a response's facts: what is typed is stored in this browser until it is saved, and a page that is left
// with unsaved text warns.

const form = document.querySelector("[data-facts-form]");
/** @type {HTMLTextAreaElement[]} */
const fields = [...form.querySelectorAll("[data-facts]")];
const storageKey = `factuary:facts:${location.pathname}`;
const storedTexts = () => Object.fromEntries(fields.map((field) => [field.name, field.defaultValue]));
const typedTexts = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));
const isChanged = () => fields.some((field) => field.value !== field.defaultValue);

/** A draft belongs to the facts that it began from: it is dropped once others are stored. */
function restoreDraft() {
  const draft = JSON.parse(localStorage.getItem(storageKey) ?? "null");
  if (!draft || JSON.stringify(draft.stored) !== JSON.stringify(storedTexts()))
    return localStorage.removeItem(storageKey);
  for (const field of fields) field.value = draft.typed[field.name] ?? field.value;
}

function storeDraft() {
  if (isChanged()) localStorage.setItem(storageKey, JSON.stringify({ stored: storedTexts(), typed: typedTexts() }));
  else localStorage.removeItem(storageKey);
}

/** @param {Event} event */
function warn(event) {
  if (isChanged()) event.preventDefault();
}

restoreDraft();
form.addEventListener("input", storeDraft);
form.addEventListener("submit", () => window.removeEventListener("beforeunload", warn));
window.addEventListener("beforeunload", warn);
