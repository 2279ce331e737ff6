// The pile to come back to, as a list in the drawer and as a question before a response is finished.

import { beside, finishAllTheSame, marked, nextMarked, toggleMark } from "./beside.js";
import { goTo, sheet, textOf } from "./sentences.js";

const dialog = document.getElementById("pile");

/** The pile, an entry a sentence: to go there, and to take it off. */
export function listPile(body) {
  const pile = marked();
  const hint = document.createElement("p");
  hint.className = "quiet";
  hint.append(...(pile.length ? ["“Next to come back to” ", key("mark-next"), " goes through them; “Unsure” ", key("mark"), " takes the lit one off."] : ["Nothing is on your pile. “Unsure” ", key("mark"), " puts the lit one there."]));
  const list = document.createElement("ol");
  list.className = "open-list";
  list.append(...pile.map((item) => entry(item, { canGo: true })));
  body.replaceChildren(hint, list);
}

function entry(item, { canGo }) {
  const made = document.createElement("li");
  const go = document.createElement("button");
  const number = document.createElement("span");
  number.className = "num";
  number.textContent = item.index + 1;
  go.type = "button";
  go.append(number, words(item));
  go.addEventListener("click", () => { dialog.close(); goTo(item); });
  made.append(go);
  if (canGo) made.append(off(item));
  return made;
}

function words(item) {
  const made = document.createElement("span");
  made.textContent = textOf(item);
  if (beside.marks.get(item.id) === "guidelines") made.append(Object.assign(document.createElement("small"), { textContent: " The guidelines have changed: confirm your answer or change it." }));
  return made;
}

function off(item) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "remove";
  made.textContent = "×";
  made.setAttribute("aria-label", `Take ${item.index + 1} off the pile`);
  made.addEventListener("click", () => toggleMark(item));
  return made;
}

/** The key of that name as the page shows it, which may have been changed; nothing where it has none. */
function key(name) {
  return document.querySelector(`[data-key-of="${name}"]:not([hidden])`)?.cloneNode(true) ?? "";
}

/** Asks whether to finish although something lies on the pile. */
export function askBeforeFinishing() {
  const pile = marked();
  const { unit } = sheet.work.protocol;
  dialog.querySelector("[data-pile-title]").textContent = `You wanted to come back to ${pile.length === 1 ? `one ${unit}` : `${pile.length} ${unit}s`}`;
  dialog.querySelector("[data-pile-list]").replaceChildren(...pile.map((item) => entry(item, { canGo: false })));
  dialog.showModal();
}

dialog.querySelector("[data-pile-go]").addEventListener("click", nextMarked);
dialog.querySelector("[data-pile-finish]").addEventListener("click", () => {
  dialog.close();
  finishAllTheSame();
});
