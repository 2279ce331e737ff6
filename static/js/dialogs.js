// What the workspace says and asks outside the questions: saved or waiting, what is open, which of two answers to keep.

import { inWords, textOf } from "./sentences.js";

const WORDS = {
  saved: ["✓", () => "Saved"],
  waiting: ["…", (n) => `${n} waiting`],
  offline: ["!", (n) => `Offline, ${n} waiting`],
  "signed-out": ["!", (n) => `Signed out, ${n} waiting`],
  elsewhere: ["!", (n) => `${n} not saved`],
};
const bar = document.querySelector("[data-saved]");
const find = (name) => document.querySelector(`[data-${name}]`);

export function showSaving({ state, waiting }) {
  const [sign, words] = WORDS[waiting ? state : "saved"];
  bar.dataset.state = waiting ? state : "saved";
  find("saved-sign").textContent = sign;
  find("saved-words").textContent = words(waiting);
  for (const reason of ["signed-out", "elsewhere"]) find(reason).hidden = !(waiting && state === reason);
}

export function trouble(words) {
  find("trouble-words").textContent = words;
  find("trouble").hidden = false;
}

export function noTrouble() {
  find("trouble").hidden = true;
}

document.querySelector("[data-trouble-close]").addEventListener("click", noTrouble);

/** Lists what has no answer; the first has the focus, so that Enter goes there. */
export function listOpen(unit, open, goTo) {
  const dialog = document.getElementById("still-open");
  const list = find("open-list");
  find("open-title").textContent = open.length ? `${open.length} ${unit}${open.length === 1 ? " has" : "s have"} no answer yet` : `Every ${unit} has an answer`;
  list.replaceChildren(...open.map((item) => entry(item, () => { dialog.close(); goTo(item); })));
  dialog.showModal();
  list.querySelector("button")?.focus();
}

function entry(item, chosen) {
  const line = document.createElement("li");
  const button = document.createElement("button");
  const number = document.createElement("span");
  number.className = "num";
  number.textContent = item.index + 1;
  button.type = "button";
  button.append(number, textOf(item));
  button.addEventListener("click", chosen);
  line.append(button);
  return line;
}

/** Asks which of two answers to one sentence shall stand: "mine" or "theirs". One question after the other. */
export function askWhichToKeep(...question) {
  asked = asked.then(() => ask(...question));
  return asked;
}

let asked = Promise.resolve();

/** Resolves when no such question is on the screen. */
export const nothingAsked = () => asked;

function ask(protocol, item, mine, theirs) {
  const dialog = document.getElementById("conflict");
  find("conflict-sentence").textContent = item ? textOf(item) : "Part of an earlier response.";
  find("conflict-mine").textContent = inWords(protocol, mine);
  find("conflict-theirs").textContent = inWords(protocol, theirs);
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

export function showLost() {
  const dialog = document.getElementById("lost");
  if (!dialog.open) dialog.showModal();
}
