// The preview of a protocol's questions: shows those that the chosen answers lead to, as the workspace does, and keeps
// the answers when htmx replaces the questions. Without this file all questions are shown.

import { visibleQuestions } from "../shared/protocol.js";

const preview = document.querySelector("[data-questions-preview]");
/** @type {Answers} */
let answers = {};

/** @returns {NodeListOf<PageElement>} */
const fields = () => preview.querySelectorAll(".question :is(input, textarea)");

function readAnswers() {
  answers = {};
  for (const { type, name, value, checked } of fields()) if (type !== "radio" || checked) answers[name] = value;
}

function restoreAnswers() {
  for (const field of fields())
    if (field.type === "radio") field.checked = answers[field.name] === field.value;
    else field.value = answers[field.name] ?? "";
}

function showQuestions() {
  const source = document.getElementById("preview-protocol");
  if (!source) return;
  const visible = new Set(visibleQuestions(JSON.parse(source.textContent), answers).map(({ key }) => key));
  for (const field of preview.querySelectorAll("[data-question]")) field.hidden = !visible.has(field.dataset.question);
}

preview.addEventListener("change", () => {
  readAnswers();
  showQuestions();
});
preview.addEventListener("submit", (event) => event.preventDefault());
for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap"])
  preview.addEventListener(name, () => {
    restoreAnswers();
    showQuestions();
  });
showQuestions();
document.body.dataset.ready = "preview";
