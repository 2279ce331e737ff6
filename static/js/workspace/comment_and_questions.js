// The lit sentence in the drawer: a comment that goes with the answer, questions to the leads, and their answers in place.

import { beside, commentOf, readAnswers, sendComment } from "./side_panel.js";
import { dropTyped, keepTyped, typedIn } from "../offline/journal.js";
import { hear, say, sheet, tell, textOf } from "./sheet.js";
import { translate } from "../shared/translate.js";

let shown = null; // {item, body}: what the drawer shows, as long as it does

export function showTalk(body) {
  const item = sheet.now;
  const { preview } = sheet.work;
  body.replaceChildren(document.querySelector("[data-talk]").content.cloneNode(true));
  body.querySelector("[data-talk-sentence]").textContent = textOf(item);
  wireComment(body, item, preview);
  for (const form of body.querySelectorAll("[data-ask]")) wireForm(form, item, preview);
  shown = { item, body };
  fill();
  showThread();
}

function wireComment(body, item, preview) {
  const field = body.querySelector("[data-comment]");
  field.disabled = preview;
  field.addEventListener("input", () => {
    keepTyped(item, "comment", field.value);
    tellState();
  });
  field.addEventListener("change", () => sendComment(item));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) sendComment(item);
  });
}

function wireForm(form, item, preview) {
  const kind = form.dataset.ask;
  const field = form.elements.text;
  for (const control of form.elements) control.disabled = preview;
  field.addEventListener("input", () => keepTyped(item, kind, field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.stopPropagation();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(form, item, kind, field);
  });
}

/** On its way like an answer: written down first, sent when it can be, and once. */
function ask(form, item, kind, field) {
  const text = field.value.trim();
  if (!text && field.required) return field.focus();
  tell("asking", { item, kind, text });
  dropTyped(item, kind);
  fill();
  form.closest("details")?.removeAttribute("open");
  return form.querySelector("[type=submit]").focus();
}

const isShown = () => Boolean(shown?.body.querySelector("[data-talk-sentence]"));

/** Puts into the fields what was typed into them. */
function fill() {
  const { item, body } = shown;
  put(body.querySelector("[data-comment]"), commentOf(item));
  for (const form of body.querySelectorAll("[data-ask]")) {
    const text = typedIn(item, form.dataset.ask) ?? "";
    put(form.elements.text, text);
    if (text) form.closest("details")?.setAttribute("open", "");
  }
  tellState();
}

function put(field, text) {
  if (field.value !== text) field.value = text;
}

/** What becomes of the comment. */
function tellState() {
  const { item, body } = shown;
  const isWaiting = typedIn(item, "comment") !== undefined;
  const answered = isWaiting ? translate("Kept in this browser until it is saved.") : translate("Saved with your answer.");
  const words = sheet.work.preview ? translate("Nothing is saved in the preview.") : item.answers ? answered : translate("Goes with your answer, once you give one.");
  body.querySelector("[data-comment-state]").textContent = words;
}

hear("asked", ({ asks }) => say(asks.kind === "split" ? translate("Reported to the leads.") : translate("Asked. The answer will come here.")));
for (const news of ["asking-changed", "beside"]) hear(news, () => isShown() && showThread());
hear("saved", ({ item }) => isShown() && item === shown.item.id && tellState());
hear("typed-elsewhere", ({ item }) => isShown() && item === shown.item.id && fill());

/** The questions about the sentence, and those that wait to be sent; new answers are read once they have been here. */
function showThread() {
  const { item, body } = shown;
  const about = beside.questions.filter((question) => question.item === item.id);
  const waiting = sheet.asking.filter((each) => each.about === item.id).map(({ asks }) => ({ ...asks, isWaiting: true }));
  body.querySelector("[data-thread]").replaceChildren(...[...about, ...waiting].map(entry));
  const unread = about.filter((question) => question.new);
  if (unread.length) readAnswers(unread);
}

function entry(question) {
  const made = document.createElement("article");
  made.className = "inquiry";
  made.append(line("asked", question.text || translate("This split is wrong.")), line("byline", who(question)));
  if (question.answer) made.append(line("reply", question.answer));
  return made;
}

function who({ own, answer, kind, isWaiting }) {
  if (isWaiting) return translate("Waiting to be sent to the leads.");
  const isReport = kind === "split";
  const mine = isReport ? translate("You reported this") : translate("You asked this");
  const by = own ? mine : isReport ? translate("Somebody reported this") : translate("Somebody asked this");
  return answer ? translate("%(who)s; the leads answered:", { who: by }) : translate("%(who)s; no answer yet.", { who: by });
}

function line(kind, words) {
  const made = document.createElement("p");
  made.className = kind;
  made.dir = "auto";
  made.textContent = words;
  return made;
}
