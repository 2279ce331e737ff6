// The lit sentence in the drawer: a comment that goes with the answer, questions to the leads, and their answers in place.

import { beside, comment, commentOf, readAnswers, refresh } from "./beside.js";
import { assignmentUrl, call } from "./calls.js";
import { say, sheet, textOf } from "./sentences.js";
import { translate } from "./words.js";

const begun = new Map(); // item and kind -> words not sent yet: moving to another sentence must not lose them

export function showTalk(body) {
  const item = sheet.now;
  const { preview } = sheet.work;
  body.replaceChildren(document.querySelector("[data-talk]").content.cloneNode(true));
  body.querySelector("[data-talk-sentence]").textContent = textOf(item);
  wireComment(body, item, preview);
  for (const form of body.querySelectorAll("[data-ask]")) wireForm(form, item, preview);
  showThread(body.querySelector("[data-thread]"), item);
}

function wireComment(body, item, preview) {
  const field = body.querySelector("[data-comment]");
  const state = body.querySelector("[data-comment-state]");
  field.value = commentOf(item);
  field.disabled = preview;
  const tellState = () => { state.textContent = preview ? translate("Nothing is saved in the preview.") : item.answers ? translate("Saved with your answer.") : translate("Goes with your answer, once you give one."); };
  tellState();
  field.addEventListener("change", () => {
    comment(item, field.value.trim());
    tellState();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) comment(item, field.value.trim());
  });
}

function wireForm(form, item, preview) {
  const kind = form.dataset.ask;
  const name = `${item.id} ${kind}`;
  const field = form.elements.text;
  field.value = begun.get(name) ?? "";
  if (field.value) form.closest("details")?.setAttribute("open", "");
  for (const control of form.elements) control.disabled = preview;
  field.addEventListener("input", () => begun.set(name, field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.stopPropagation();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, item, kind, name);
  });
}

async function send(form, item, kind, name) {
  const button = form.querySelector("[type=submit]");
  const problem = form.querySelector("[data-problem]");
  button.disabled = true;
  problem.textContent = "";
  const body = JSON.stringify({ kind, text: form.elements.text.value });
  const { status, data } = await call("POST", assignmentUrl(sheet.work.id, `items/${item.id}/questions/`), { body });
  button.disabled = false;
  if (status !== 201) {
    problem.textContent = data?.errors?.text?.join(" ") ?? data?.detail ?? translate("The server could not be reached. Your words stay here: try again.");
    return;
  }
  begun.delete(name);
  form.elements.text.value = "";
  form.closest("details")?.removeAttribute("open");
  say(kind === "split" ? translate("Reported to the leads.") : translate("Asked. The answer will come here."));
  button.focus();
  await refresh();
  const thread = form.parentElement.closest("[data-drawer-body]")?.querySelector("[data-thread]");
  if (thread && sheet.now === item) showThread(thread, item);
}

/** The questions about the sentence; new answers are read once they have been here. */
function showThread(thread, item) {
  const about = beside.questions.filter((question) => question.item === item.id);
  thread.replaceChildren(...about.map(entry));
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

function who({ own, answer, kind }) {
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
