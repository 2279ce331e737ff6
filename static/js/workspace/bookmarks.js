// The pile to come back to, as a list in the drawer and as a question before a response is finished.

import { beside, finishAllTheSame, marked, nextMarked, toggleMark } from "./side_panel.js";
import { entry, goTo, unitWord } from "./sheet.js";
import { plural, translate } from "../shared/translate.js";

const dialog = document.getElementById("pile");

/** The pile, an entry a sentence: to go there, and to take it off. */
export function listPile(body) {
  const pile = marked();
  const hint = document.createElement("p");
  hint.className = "quiet";
  const words = pile.length
    ? translate("“Next to come back to” %(next)s goes through them; “Unsure” %(mark)s takes the lit one off.")
    : translate("Nothing is on your pile. “Unsure” %(mark)s puts the lit one there.");
  hint.append(...words.split(/(%\(\w+\)s)/).map((piece) => (piece === "%(next)s" ? key("mark-next") : piece === "%(mark)s" ? key("mark") : piece)));
  const list = document.createElement("ol");
  list.className = "open-list";
  list.append(...pile.map(toBeTakenOff));
  body.replaceChildren(hint, list);
}

function toBeGoneTo(item) {
  const made = entry(item, () => { dialog.close(); goTo(item); });
  if (beside.marks.get(item.id) === "guidelines") made.querySelector("[dir]").append(Object.assign(document.createElement("small"), { textContent: ` ${translate("The guidelines have changed: confirm your answer or change it.")}` }));
  return made;
}

function toBeTakenOff(item) {
  const made = toBeGoneTo(item);
  made.append(off(item));
  return made;
}

function off(item) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "remove";
  made.textContent = "×";
  made.setAttribute("aria-label", translate("Take %(n)s off the pile", { n: item.index + 1 }));
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
  dialog.querySelector("[data-pile-title]").textContent = plural("You wanted to come back to one %(unit)s", "You wanted to come back to %(n)s %(unit)s", pile.length, { unit: unitWord(pile.length) });
  dialog.querySelector("[data-pile-go]").textContent = pile.length === 1 ? translate("Look at it") : translate("Look at them");
  dialog.querySelector("[data-pile-list]").replaceChildren(...pile.map(toBeGoneTo));
  dialog.showModal();
}

dialog.querySelector("[data-pile-go]").addEventListener("click", nextMarked);
dialog.querySelector("[data-pile-finish]").addEventListener("click", () => {
  dialog.close();
  finishAllTheSame();
});
