// The questions under the response: real radio groups, shown as the protocol says for the answers so far.

import { problems, visibleQuestions } from "./protocol.js";

export class Questions {
  /** `chose(question, value)` is called for every answer that a person gives. */
  constructor(form, protocol, chose) {
    this.form = form;
    this.protocol = protocol;
    this.groups = new Map([...form.querySelectorAll("[data-question]")].map((group) => [group.dataset.question, group]));
    form.addEventListener("click", (event) => event.target.matches("input[type=radio]") && chose(event.target.name, event.target.value));
    form.addEventListener("change", (event) => event.target.matches("textarea") && chose(event.target.name, event.target.value));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows `answers`, and no problems. */
  show(answers) {
    const visible = new Set(visibleQuestions(this.protocol, answers).map((question) => question.key));
    for (const [key, group] of this.groups) {
      group.inert = !visible.has(key);
      this.fill(group, answers[key]);
      this.say(key, "");
    }
  }

  fill(group, answer) {
    for (const field of group.querySelectorAll("input, textarea")) {
      if (field.type === "radio") field.checked = field.value === answer;
      else if (field.value !== (answer ?? "")) field.value = answer ?? "";
    }
  }

  say(key, words) {
    const place = this.groups.get(key)?.querySelector("[data-problem]");
    if (place && place.textContent !== words) place.textContent = words;
  }

  /** Says what is missing or wrong, as the server would or did. */
  complain(answers, found = problems(this.protocol, answers)) {
    const [first] = this.groups.keys();
    for (const [key, messages] of Object.entries(found)) this.say(this.groups.has(key) ? key : first, messages.join(" "));
  }

  /** The choice that a key stands for among the questions that are shown, or null. */
  choiceFor(event, answers) {
    const pressed = event.key.toLowerCase();
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]; // French keyboards have digits on shift
    for (const question of visibleQuestions(this.protocol, answers)) {
      const option = question.options.find(({ shortcut }) => shortcut && (shortcut === pressed || shortcut === digit));
      if (option) return { question: question.key, value: option.key };
    }
    return null;
  }

  /** Whether a question that is shown has no answer yet. */
  asksMore(answers) {
    return visibleQuestions(this.protocol, answers).some((question) => !(question.key in answers));
  }

  /** Moves the focus to the first question without an answer: a later one must not be forgotten. */
  focusOpen(answers) {
    const open = visibleQuestions(this.protocol, answers).find((question) => !(question.key in answers));
    const field = open && this.groups.get(open.key).querySelector("input, textarea");
    field?.focus({ preventScroll: true, focusVisible: false });
  }

  /** Arrow keys within a group move the focus only: choosing with them would rate what one passes. */
  moveFocus(radio, step) {
    const radios = [...radio.closest("[data-question]").querySelectorAll("input[type=radio]")];
    radios[(radios.indexOf(radio) + step + radios.length) % radios.length].focus();
  }
}

/** `answers` with one more; what depended on another answer to the same question must be given anew. */
export function withAnswer(protocol, answers, question, value) {
  const next = { ...answers, [question]: value };
  if (answers[question] === value) return next;
  for (const later of protocol.questions) if (question in later.show_when) delete next[later.key];
  return next;
}
