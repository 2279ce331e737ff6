// Reviewing. On the list: filters that apply at once. On an item: keys, questions shown as the
// protocol defines, the article (review_article.js). Without this file the pages work with reloads.

import { problems, prune, visibleQuestions, withAnswer } from "../shared/protocol.js";
import { translate } from "../shared/translate.js";
import { keyNames, withLatinKey } from "../workspace/keyboard.js";
import { scrollArticle } from "../workspace/passages.js";
import { ReviewArticle } from "./review_article.js";

const ANSWER = "answers."; // prefix of the names of the form's fields

// The list

/** @param {HTMLFormElement} filters */
function wireFilters(filters) {
  filters.querySelector("[data-apply]").hidden = true;
  filters.addEventListener("change", () => {
    // For short addresses.
    for (const field of /** @type {Iterable<HTMLInputElement>} */ (filters.elements))
      if (!field.value) field.disabled = true;
    filters.requestSubmit();
  });
}

// One item

/** @param {HTMLElement} page */
function wireItem(page) {
  /** @type {HTMLFormElement | null} */
  const form = page.querySelector("[data-form]");
  const part = page.querySelector("[data-part=article]");
  const article = part && new ReviewArticle(part, page, form);
  const item = page.querySelector("[data-context] .s");
  if (item) scrollBoxTo(page.querySelector("[data-context]"), item);
  const decision = form && new Decision(form, () => article?.findBar.close());
  document.addEventListener("keydown", (/** @type {ElementKeyEvent} */ event) => press(event, decision, article));
  if (decision) wireForm(decision);
  page.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => {
    const button = event.target.closest("[data-choose-rater]");
    if (button) decision?.chooseAll(JSON.parse(button.dataset.chooseRater ?? "{}"));
  });
}

/**
 * Scrolls `box` so that `element` is in its upper third. Where the page scrolls, nothing moves.
 * @param {HTMLElement} box
 * @param {HTMLElement} element
 */
function scrollBoxTo(box, element) {
  if (box.scrollHeight <= box.clientHeight) return;
  box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
}

/** The form of a decision, with the questions of the protocol. */
class Decision {
  /**
   * @param {HTMLFormElement} form
   * @param {() => void} chosen called after an answer
   */
  constructor(form, chosen) {
    this.form = form;
    this.chosen = chosen;
    /** @type {Protocol} */
    this.protocol = JSON.parse(document.getElementById("protocol-json").textContent);
  }

  /** @returns {Answers} */
  get answers() {
    const entries = /** @type {[string, string][]} */ ([...new FormData(this.form)]);
    const fields = entries.filter(([name]) => name.startsWith(ANSWER));
    return prune(this.protocol, Object.fromEntries(fields.map(([name, value]) => [name.slice(ANSWER.length), value])));
  }

  set answers(answers) {
    for (const field of /** @type {Iterable<HTMLInputElement>} */ (this.form.elements)) {
      if (!field.name.startsWith(ANSWER)) continue;
      const answer = answers[field.name.slice(ANSWER.length)] ?? "";
      if (field.type === "radio") field.checked = field.value === answer;
      else if (field.value !== answer) field.value = answer;
    }
  }

  get reason() {
    return this.form.querySelector("[data-reason]");
  }

  get groups() {
    return this.form.querySelectorAll("[data-question]");
  }

  /** Shows the questions that the answers require. */
  show() {
    const visible = new Set(visibleQuestions(this.protocol, this.answers).map((question) => question.key));
    // It keeps its space: nothing moves.
    for (const group of this.groups) group.inert = !visible.has(group.dataset.question);
  }

  /**
   * @param {string} question
   * @param {string} value
   * @param {Answers} answersBefore
   */
  choose(question, value, answersBefore = this.answers) {
    this.answers = withAnswer(this.protocol, answersBefore, question, value);
    this.showChosen();
  }

  /**
   * Chooses the options that a rater chose; written answers stay.
   * @param {Answers} choices
   */
  chooseAll(choices) {
    const written = this.protocol.questions.filter(({ options }) => !options.length).map(({ key }) => key);
    const kept = Object.entries(this.answers).filter(([key]) => written.includes(key));
    this.answers = { ...Object.fromEntries(kept), ...choices };
    this.showChosen();
  }

  showChosen() {
    this.chosen();
    this.show();
    this.showProblems({});
    const isWhole = Object.keys(problems(this.protocol, this.answers)).length === 0;
    if (isWhole && !this.reason.value.trim()) this.reason.focus();
  }

  /** Decides with the majority, or reports that there is none. */
  agree() {
    const hint = this.form.querySelector("[data-no-majority]");
    if (hint) hint.textContent = hint.dataset.noMajority;
    else this.form.querySelector("[data-majority]").click();
  }

  /** @param {HTMLElement} button */
  submit(button = this.form.querySelector("[data-save]")) {
    this.form.requestSubmit(button);
  }

  saveAsGold() {
    this.submit(this.form.querySelector("[data-gold]"));
  }

  markSent() {
    this.form.dataset.sent = "yes";
  }

  /** The keys of all options. */
  get shortcuts() {
    return this.protocol.questions.flatMap(({ options }) => options.map(({ shortcut }) => shortcut)).filter(Boolean);
  }

  /**
   * The question and option of a key among the visible questions; null without one.
   * @param {string[]} pressed the names of the key
   * @returns {[string, string] | null}
   */
  optionForKey(pressed) {
    for (const question of visibleQuestions(this.protocol, this.answers)) {
      const option = question.options.find(({ shortcut }) => shortcut && pressed.includes(shortcut));
      if (option) return [question.key, option.key];
    }
    return null;
  }

  /**
   * Shows the missing answers with the server's messages; returns whether there are any.
   * @param {Record<string, string[]>} messages
   * @param {string} reasonProblem
   */
  showProblems(messages, reasonProblem = "") {
    for (const group of this.groups)
      group.querySelector("[data-problem]").textContent = (messages[group.dataset.question] ?? []).join(" ");
    this.form.querySelector("[data-reason-problem]").textContent = reasonProblem;
    this.reason.toggleAttribute("aria-invalid", Boolean(reasonProblem));
    if (reasonProblem) this.reason.setAttribute("aria-invalid", "true");
    return Object.keys(messages).length > 0 || Boolean(reasonProblem);
  }
}

/** @param {Decision} decision */
function wireForm(decision) {
  const { form } = decision;
  let answersBefore = decision.answers;
  decision.show();
  form.addEventListener("change", (/** @type {ElementEvent} */ { target }) => {
    if (target.type === "radio") decision.choose(target.name.slice(ANSWER.length), target.value, answersBefore);
    answersBefore = decision.answers;
  });
  form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    const { submitter } = event;
    if (form.dataset.sent) return event.preventDefault(); // a second Enter
    if (submitter?.matches("[data-names]")) return; // the page comes back with the form as it is
    if (submitter?.matches("[data-majority]")) return decision.markSent();
    const needsReason = !submitter?.matches("[data-gold]") && !decision.reason.value.trim();
    const isMissing = decision.showProblems(
      problems(decision.protocol, decision.answers),
      needsReason ? translate("Enter a reason: it is stored with the adjudication.") : "",
    );
    if (!isMissing) return decision.markSent();
    event.preventDefault();
    if (needsReason) decision.reason.focus();
  });
  window.addEventListener("pageshow", () => delete form.dataset.sent); // back from the next page
}

/**
 * @param {ElementKeyEvent} event
 * @param {Decision | null} decision
 * @param {ReviewArticle | null} article
 */
function press(event, decision, article) {
  const { key, target } = event;
  if (key === "Enter" && (event.ctrlKey || event.metaKey) && !document.querySelector("dialog[open]"))
    return decision?.saveAsGold();
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  if (event.defaultPrevented || isCommand || document.querySelector("dialog[open]")) return;
  if (!(target instanceof Element)) return;
  if (decision && target.closest("textarea")) return pressInText(event, decision);
  if (key === "Escape" && article?.findBar.isOpen && !document.querySelector("details[open]"))
    return article.findBar.close();
  if (
    target.closest("textarea, select, input:not([type=radio]), summary") ||
    (key === "Enter" && target.closest("a, button"))
  )
    return;
  if (article?.findBar.walkMatches(event) || act(event, decision, article)) event.preventDefault();
}

/**
 * In the reason Enter saves; Escape leaves the field, so that keys answer again.
 * @param {ElementKeyEvent} event
 * @param {Decision} decision
 */
function pressInText(event, decision) {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter" || event.shiftKey || !event.target.matches("[data-reason]")) return;
  event.preventDefault();
  decision.submit();
}

/**
 * Returns whether the key did something.
 * @param {ElementKeyEvent} event
 * @param {Decision | null} decision
 * @param {ReviewArticle | null} article
 */
function act(event, decision, article) {
  const pressed = withLatinKey(event, keyNames(event), decision?.shortcuts);
  const choice = decision?.optionForKey(pressed);
  if (decision && choice) {
    decision.choose(...choice);
    return true;
  }
  const rater = [...document.querySelectorAll("[data-rater-key]")].find(({ dataset }) =>
    pressed.includes(dataset.raterKey ?? ""),
  );
  const evidence = article?.evidence;
  /** @type {Record<string, (() => unknown) | undefined>} */
  const actions = {
    "j": () => document.querySelector("[data-step='1']")?.click(),
    "k": () => document.querySelector("[data-step='-1']")?.click(),
    "m": () => decision?.agree(),
    "e": () => evidence?.walk(1),
    "Shift+e": () => evidence?.walk(-1),
    "+": () => evidence?.attach("supports"),
    "=": () => evidence?.attach("supports"),
    "-": () => evidence?.attach("contradicts"),
    "/": () => article?.findBar.open(),
    "Enter": () => decision?.submit(),
    "?": () => document.getElementById("help").showModal(),
    "PageDown": () => scrollArticle(1),
    "PageUp": () => scrollArticle(-1),
  };
  const isScrolling = event.target.closest("[data-article], [data-context], .rating-cards") && /^Page/.test(event.key);
  const action = rater ? () => rater.click() : pressed.map((name) => actions[name]).find(Boolean);
  if (!action || isScrolling) return false;
  action();
  return true;
}

// A phone shows some.
document.querySelector(".show-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
/** @type {NodeListOf<HTMLFormElement>} */
const filterForms = document.querySelectorAll("[data-filters]");
filterForms.forEach(wireFilters);
for (const page of document.querySelectorAll("[data-review]")) wireItem(page);
document.body.dataset.ready = "review";
