// What is typed on the page of a response's facts is written down in this browser until it is saved, and a page that is left
// with something unsaved says so.

const form = document.querySelector("[data-facts-form]");
const fields = [...form.querySelectorAll("[data-facts]")];
const key = `factuary:facts:${location.pathname}`;
const stored = () => Object.fromEntries(fields.map((field) => [field.name, field.defaultValue]));
const typed = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));
const isChanged = () => fields.some((field) => field.value !== field.defaultValue);

/** A draft belongs to the facts that it was begun from: once others are stored it is of no use. */
function bringBack() {
  const draft = JSON.parse(localStorage.getItem(key) ?? "null");
  if (!draft || JSON.stringify(draft.stored) !== JSON.stringify(stored())) return localStorage.removeItem(key);
  for (const field of fields) field.value = draft.typed[field.name] ?? field.value;
  return null;
}

function keep() {
  if (isChanged()) localStorage.setItem(key, JSON.stringify({ stored: stored(), typed: typed() }));
  else localStorage.removeItem(key);
}

bringBack();
form.addEventListener("input", keep);
form.addEventListener("submit", () => window.removeEventListener("beforeunload", warn));
window.addEventListener("beforeunload", warn);

function warn(event) {
  if (isChanged()) event.preventDefault();
}
