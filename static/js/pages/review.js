// Reviewing. On the list: filters that apply at once, a table that is fetched. On an item: keys, questions that are shown as
// the protocol says, passages that are found in the article. Everything works without this file, a little slower.

import { scrollArticle, wireArticle } from "../workspace/article.js";
import { problems, prune, visibleQuestions, withAnswer } from "../shared/protocol.js";
import { translate } from "../shared/translate.js";

const ANSWER = "answers."; // begins the names of the form's fields
const FLASH = 2600; // milliseconds that a passage's paragraph stays lit

// The list

function wireFilters(filters) {
  filters.querySelector("[data-apply]").hidden = true;
  filters.addEventListener("change", () => {
    for (const field of filters.elements) if (!field.value) field.disabled = true; // short addresses
    filters.requestSubmit();
  });
}

async function load(part) {
  const response = await fetch(part.dataset.loads, { credentials: "same-origin" }).catch(() => null);
  if (response?.ok && !response.redirected) part.innerHTML = await response.text();
}

// One item

function wireItem(desk) {
  const form = desk.querySelector("[data-form]");
  const article = desk.querySelector("[data-part=article]");
  if (article) wireArticle(article);
  const lit = desk.querySelector("[data-context] .s");
  if (lit) showIn(desk.querySelector("[data-context]"), lit);
  desk.addEventListener("click", (event) => {
    const link = event.target.closest("[data-paragraph-link]");
    if (link && article && findPassage(article, link.dataset.paragraphLink)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => press(event, form && new Decision(form)));
  if (form) wireForm(form);
}

/** Scrolls `box` so that `element` is in its upper third. Where the page scrolls, nothing moves. */
function showIn(box, element) {
  if (box.scrollHeight <= box.clientHeight) return;
  box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
}

function findPassage(article, id) {
  const paragraph = [...article.querySelectorAll("[data-paragraph]")].find((each) => each.dataset.paragraph === id);
  if (!paragraph) return false;
  const box = article.querySelector("[data-article]");
  if (box.scrollHeight > box.clientHeight) showIn(box, paragraph);
  else paragraph.scrollIntoView({ block: "center" }); // a phone: the page scrolls
  paragraph.classList.add("named");
  setTimeout(() => paragraph.classList.remove("named"), FLASH);
  return true;
}

/** What the form says now, and what the protocol makes of it. */
class Decision {
  constructor(form) {
    this.form = form;
    this.protocol = JSON.parse(document.getElementById("asks").textContent);
  }

  get answers() {
    const given = [...new FormData(this.form)].filter(([name]) => name.startsWith(ANSWER));
    return prune(this.protocol, Object.fromEntries(given.map(([name, value]) => [name.slice(ANSWER.length), value])));
  }

  set answers(answers) {
    for (const field of this.form.elements) {
      if (!field.name.startsWith(ANSWER)) continue;
      const answer = answers[field.name.slice(ANSWER.length)];
      if (field.type === "radio") field.checked = field.value === answer;
      else if (field.value !== (answer ?? "")) field.value = answer ?? "";
    }
  }

  get reason() {
    return this.form.querySelector("[data-reason]");
  }

  /** Shows the questions that these answers ask for. */
  show() {
    const visible = new Set(visibleQuestions(this.protocol, this.answers).map((question) => question.key));
    for (const group of this.groups) group.inert = !visible.has(group.dataset.question); // its place is kept: nothing jumps
  }

  get groups() {
    return this.form.querySelectorAll("[data-question]");
  }

  choose(question, value, before = this.answers) {
    this.answers = withAnswer(this.protocol, before, question, value);
    this.show();
    this.say({});
    const complete = Object.keys(problems(this.protocol, this.answers)).length === 0;
    if (complete && !this.reason.value.trim()) this.reason.focus();
  }

  /** Decides as the majority did, or says that there is none. */
  agree() {
    const without = this.form.querySelector("[data-no-majority]");
    if (without) without.textContent = without.dataset.noMajority;
    else this.form.querySelector("[data-majority]").click();
  }

  /** The choice that a key stands for among the questions that are shown, or null. */
  choiceFor(event) {
    const pressed = event.key.toLowerCase();
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]; // French keyboards have digits on shift
    for (const question of visibleQuestions(this.protocol, this.answers)) {
      const option = question.options.find(({ shortcut }) => shortcut && (shortcut === pressed || shortcut === digit));
      if (option) return [question.key, option.key];
    }
    return null;
  }

  /** Names what is missing as the server would; returns whether something is. */
  say(found, reason = "") {
    for (const group of this.groups) group.querySelector("[data-problem]").textContent = (found[group.dataset.question] ?? []).join(" ");
    this.form.querySelector("[data-reason-problem]").textContent = reason;
    this.reason.toggleAttribute("aria-invalid", Boolean(reason));
    if (reason) this.reason.setAttribute("aria-invalid", "true");
    return Object.keys(found).length > 0 || Boolean(reason);
  }
}

function wireForm(form) {
  const decision = new Decision(form);
  let before = decision.answers;
  decision.show();
  form.addEventListener("change", (event) => {
    if (event.target.type === "radio") decision.choose(event.target.name.slice(ANSWER.length), event.target.value, before);
    before = decision.answers;
  });
  form.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (form.dataset.sent) return event.preventDefault(); // a second Enter on the way
    if (submitter?.matches("[data-names]")) return undefined; // the page comes back with the form as it is
    if (submitter?.matches("[data-majority]")) return send(form);
    const needsReason = !submitter?.matches("[data-gold]") && !decision.reason.value.trim();
    const isMissing = decision.say(problems(decision.protocol, decision.answers), needsReason ? translate("Say why: the reason is kept with the decision.") : "");
    if (!isMissing) return send(form);
    event.preventDefault();
    return needsReason && decision.reason.focus();
  });
  window.addEventListener("pageshow", () => delete form.dataset.sent); // back from the next page
}

function send(form) {
  form.dataset.sent = "yes";
}

function press(event, decision) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if (!(target instanceof Element)) return;
  if (target.closest("textarea")) return pressInText(event, decision);
  if (target.closest("select, input:not([type=radio]), summary") || (event.key === "Enter" && target.closest("a, button"))) return;
  if (act(event, decision)) event.preventDefault();
}

/** In the reason Enter saves, Escape gives the keys back to the answers. */
function pressInText(event, decision) {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter" || event.shiftKey || !event.target.matches("[data-reason]")) return;
  event.preventDefault();
  decision.form.requestSubmit(decision.form.querySelector("[data-save]"));
}

function act(event, decision) {
  const choice = decision && !(event.shiftKey && !/^(Digit|Numpad)/.test(event.code)) ? decision.choiceFor(event) : null;
  if (choice) {
    decision.choose(...choice);
    return true;
  }
  const inScroller = event.target.closest("[data-article], [data-context], .opinions");
  const doing = {
    j: () => follow("[data-step='1']"),
    k: () => follow("[data-step='-1']"),
    m: () => decision?.agree(),
    Enter: () => decision?.form.requestSubmit(decision.form.querySelector("[data-save]")),
    "?": () => document.getElementById("help").showModal(),
    PageDown: () => scrollArticle(1),
    PageUp: () => scrollArticle(-1),
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!doing || (inScroller && /^Page/.test(event.key))) return false;
  doing();
  return true;
}

function follow(selector) {
  document.querySelector(selector)?.click();
}

document.querySelector(".shows [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); // a phone shows some
for (const form of document.querySelectorAll("[data-filters]")) wireFilters(form);
for (const part of document.querySelectorAll("[data-loads]")) load(part);
for (const desk of document.querySelectorAll("[data-review]")) wireItem(desk);
document.body.dataset.ready = "review";
