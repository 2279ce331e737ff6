// The forms for uploads: only the rules and fields of the chosen format, files that are too large are named before they
// are sent, and a form is sent once.

import { translate } from "../shared/translate.js";

const message = document.querySelector("[data-upload-text]");

function showRules() {
  const format = document.querySelector("input[name=format]:checked");
  const subset = document.querySelector("[data-subset]");
  if (!format || !subset) return;
  const system = document.querySelector("[data-system]");
  if (system) system.hidden = !Object.hasOwn(format.dataset, "takesSystem");
  const rules = format.dataset.rules.split(" ");
  subset.hidden = rules.length < 2;
  for (const label of subset.querySelectorAll("[data-rule]")) label.hidden = !rules.includes(label.dataset.rule);
  const checked = subset.querySelector("input:checked");
  if (!checked || !rules.includes(checked.value)) subset.querySelector(`input[value="${rules[0]}"]`).checked = true;
}

/** @param {HTMLInputElement} input */
function checkSize(input) {
  const bytes = [...(input.files ?? [])].reduce((sum, file) => sum + file.size, 0);
  const limit = Number(input.dataset.mostBytes);
  /** @param {number} n */
  const megabytes = (n) => Math.ceil(n / 2 ** 20);
  const problem = translate(
    "These files have %(size)s MB in total; the limit is %(most)s MB. Compress them with gzip, or import them in parts.",
    { size: megabytes(bytes), most: megabytes(limit) },
  );
  input.setCustomValidity(bytes > limit ? problem : "");
  if (bytes > limit) input.reportValidity();
}

/** @param {ElementEvent} event */
function sendOnce(event) {
  const { dataset } = event.target;
  if (dataset.sent) return event.preventDefault();
  dataset.sent = "yes";
  if (message) message.hidden = false;
}

// After the browser's Back button the form can be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-upload]")) delete form.dataset.sent;
  if (message) message.hidden = true;
});

for (const format of document.querySelectorAll("input[name=format]")) format.addEventListener("change", showRules);
for (const input of document.querySelectorAll("[data-most-bytes]"))
  input.addEventListener("change", () => checkSize(input));
for (const form of document.querySelectorAll("[data-upload]")) form.addEventListener("submit", sendOnce);
showRules();
