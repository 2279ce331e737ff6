// The practice item of the introduction: shows the questions as the workspace does, takes the keys of the options, and
// sends the answers for feedback when they are complete. Without this file a button sends them.

import { isComplete, visibleQuestions } from "../shared/protocol.js";

const form = document.querySelector("[data-practice]");
/** @type {Protocol} */
const protocol = JSON.parse(document.getElementById("practice-protocol").textContent);

const chosenAnswers = () => {
  /** @type {Answers} */
  const answers = {};
  for (const { name, value } of form.querySelectorAll("input:checked")) answers[name.replace("answer-", "")] = value;
  return answers;
};

const shownQuestions = () => visibleQuestions(protocol, chosenAnswers());

function showQuestions() {
  const shown = new Set(shownQuestions().map(({ key }) => key));
  for (const field of form.querySelectorAll("[data-question]")) field.hidden = !shown.has(field.dataset.question);
}

/** Whether the form is on the screen: a key must not answer what the reader does not see. */
function isOnScreen() {
  const { top, bottom } = form.getBoundingClientRect();
  return top < window.innerHeight && bottom > 0;
}

/** @param {ElementKeyEvent} event */
function press(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || event.repeat || !isOnScreen()) return;
  if (target.matches("input:not([type=radio]), textarea, select")) return;
  for (const question of shownQuestions()) {
    const option = question.options.find(({ shortcut }) => shortcut && shortcut === key.toLowerCase());
    if (!option) continue;
    event.preventDefault();
    form.querySelector(`input[name="answer-${question.key}"][value="${option.key}"]`).checked = true;
    showQuestions();
    sendIfComplete();
    return;
  }
}

let pending = 0;

/**
 * A click sends complete answers as a key does, once the option is chosen. Arrow keys, which click too, only choose:
 * another option may follow.
 * @param {ElementMouseEvent} event
 */
function click({ target, detail }) {
  if (!detail || !target.closest("label")) return;
  clearTimeout(pending);
  pending = setTimeout(sendIfComplete);
}

function sendIfComplete() {
  if (isComplete(protocol, chosenAnswers())) form.requestSubmit();
}

form.addEventListener("change", showQuestions);
form.addEventListener("click", click);
document.addEventListener("keydown", press);
showQuestions();
document.body.dataset.ready = "practice";
