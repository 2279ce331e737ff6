// The forms for uploads: only the rules that a format has, files that are too large named before they are sent, one send.

import { translate } from "../shared/translate.js";

const words = document.querySelector("[data-upload-words]");

function showRules() {
  const format = document.querySelector("input[name=format]:checked");
  const subset = document.querySelector("[data-subset]");
  if (!format || !subset) return;
  const rules = format.dataset.rules.split(" ");
  subset.hidden = rules.length < 2;
  for (const label of subset.querySelectorAll("[data-rule]")) label.hidden = !rules.includes(label.dataset.rule);
  const chosen = subset.querySelector("input:checked");
  if (!chosen || !rules.includes(chosen.value)) subset.querySelector(`input[value="${rules[0]}"]`).checked = true;
}

function checkSize(input) {
  const bytes = [...input.files].reduce((sum, file) => sum + file.size, 0);
  const most = Number(input.dataset.mostBytes);
  const megabytes = (n) => Math.ceil(n / 2 ** 20);
  const problem = translate("These files have %(size)s MB together; at most %(most)s MB are taken. Pack them with gzip, or load them in parts.", { size: megabytes(bytes), most: megabytes(most) });
  input.setCustomValidity(bytes > most ? problem : "");
  if (bytes > most) input.reportValidity();
}

function sendOnce(event) {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = "yes";
  if (words) words.hidden = false;
}

// Coming back with the browser's Back button: the form may be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-upload]")) delete form.dataset.sent;
  if (words) words.hidden = true;
});

for (const format of document.querySelectorAll("input[name=format]")) format.addEventListener("change", showRules);
for (const input of document.querySelectorAll("[data-most-bytes]")) input.addEventListener("change", () => checkSize(input));
for (const form of document.querySelectorAll("[data-upload]")) form.addEventListener("submit", sendOnce);
showRules();
