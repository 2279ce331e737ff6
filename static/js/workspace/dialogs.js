// What the workspace says and asks outside the questions: what is open, which of two answers to keep, that work is lost.

import { entry, goTo, inWords, textOf, unitWord } from "./sheet.js";
import { plural, translate } from "../shared/translate.js";

const find = (name) => document.querySelector(`[data-${name}]`);

/** Lists what has no answer; the first has the focus, so that Enter goes there. */
export function listOpen(open) {
  const dialog = document.getElementById("still-open");
  const list = find("open-list");
  find("open-title").textContent = open.length ? plural("%(n)s %(unit)s has no answer yet", "%(n)s %(unit)s have no answer yet", open.length, { unit: unitWord(open.length) }) : translate("Every %(unit)s has an answer", { unit: unitWord() });
  list.replaceChildren(...open.map((item) => entry(item, () => { dialog.close(); goTo(item); })));
  dialog.showModal();
  list.querySelector("button")?.focus();
}

/** Asks which of two answers to one sentence shall stand, each `{answers, comment}`: "mine" or "theirs". One question after
    the other. */
export function askWhichToKeep(...question) {
  asked = asked.then(() => ask(...question));
  return asked;
}

let asked = Promise.resolve();

/** Resolves when no such question is on the screen. */
export const nothingAsked = () => asked;

function ask(protocol, item, mine, theirs) {
  const dialog = document.getElementById("conflict");
  find("conflict-sentence").textContent = item ? textOf(item) : translate("Part of an earlier response.");
  find("conflict-mine").textContent = said(protocol, mine, theirs);
  find("conflict-theirs").textContent = said(protocol, theirs, mine);
  dialog.showModal();
  return new Promise((resolve) => {
    const keep = (event) => {
      const choice = event.target.closest("[data-keep]")?.dataset.keep;
      if (!choice) return;
      dialog.removeEventListener("click", keep);
      dialog.close();
      resolve(choice);
    };
    dialog.addEventListener("click", keep);
    dialog.addEventListener("cancel", (event) => event.preventDefault()); // neither answer may go by accident
  });
}

/** The answer, with its comment if the other has another. */
function said(protocol, { answers, comment = "" }, other) {
  const answer = inWords(protocol, answers);
  return comment && comment !== other.comment ? translate("%(answer)s. Comment: “%(comment)s”", { answer, comment }) : answer;
}

/** Asks whether to sign out while something is not sent yet, and calls `leave` then. */
export function askToLeave(leave) {
  const dialog = document.getElementById("sign-out");
  dialog.returnValue = "";
  dialog.addEventListener("close", () => { if (dialog.returnValue === "leave") leave(); }, { once: true });
  dialog.showModal();
}

export function showLost() {
  const dialog = document.getElementById("lost");
  if (!dialog.open) dialog.showModal();
}
