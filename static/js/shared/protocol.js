// Validates answers against a protocol in the page, like annotation/protocols/answer_validation.py and
// web_addresses.py, messages included. tests/protocols/test_conditions.py compares them. Nothing is changed in place.
// Keys come from data: a question may be called "constructor", so an inherited property is never read as an answer.

import { translate } from "./translate.js";

const UNSTORABLE = /[\0\p{Surrogate}]/u;
const BLANK = /^[ \t\r\n]*$/;
const MAX_ECHO = 60; // characters of an answer that a message repeats
const WRITTEN_KINDS = ["text", "urls"];

/**
 * Whether each question of the condition was answered with one of its values. An empty condition holds.
 * @param {Condition} condition
 * @param {Answers} answers
 */
export function holds(condition, answers) {
  return Object.entries(condition).every(([key, values]) => values.includes(answers[key]));
}

/**
 * The protocol with the questions that are asked about one item: those asked once come with the last item of a
 * response, some only with items of certain kinds.
 * @param {Protocol} protocol
 * @param {boolean} isLast
 * @param {string} kind
 */
export function protocolForItem(protocol, isLast, kind) {
  /** @param {Question} question */
  const isAsked = ({ once, kinds }) => (isLast || !once) && (!kinds.length || kinds.includes(kind));
  return { ...protocol, questions: protocol.questions.filter(isAsked) };
}

/**
 * The questions that a rater with these answers sees, in order.
 * @param {Protocol} protocol
 * @param {Answers} answers
 */
export function visibleQuestions(protocol, answers) {
  return splitAnswers(protocol, answers).visible;
}

/**
 * The answers without nulls, blank texts and answers to hidden questions. Unknown questions stay, so that they are
 * reported.
 * @param {Protocol} protocol
 * @param {Answers} answers
 */
export function prune(protocol, answers) {
  return { ...splitAnswers(protocol, answers).valid, ...Object.fromEntries(unknownAnswers(protocol, answers)) };
}

/**
 * Messages by question key with the reasons why these answers cannot be stored; empty when they are complete.
 * @param {Protocol} protocol
 * @param {Answers} answers
 * @returns {Record<string, string[]>}
 */
export function problems(protocol, answers) {
  const { visible, valid } = splitAnswers(protocol, answers);
  const messages = new Map(visible.map((question) => [question.key, questionProblems(question, valid)]));
  const keys = protocol.questions.map((question) => question.key).join(", ");
  for (const [key] of unknownAnswers(protocol, answers)) {
    const message = `'${echo(key)}' is not a question of this protocol; its questions are: ${keys}.`;
    messages.set(echo(key), [...(messages.get(echo(key)) ?? []), message]);
  }
  return Object.fromEntries([...messages].filter(([, texts]) => texts.length));
}

/**
 * Whether these answers can be stored as they are.
 * @param {Protocol} protocol
 * @param {Answers} answers
 */
export function isComplete(protocol, answers) {
  return Object.keys(problems(protocol, answers)).length === 0;
}

/**
 * `answers` with one more; what depended on another answer to the same question is removed.
 * @param {Protocol} protocol
 * @param {Answers} answers
 * @param {string} key
 * @param {string} value
 * @returns {Answers}
 */
export function withAnswer(protocol, answers, key, value) {
  /** @type {Answers} */
  const changed = { ...answers, [key]: value };
  if (answers[key] === value) return changed;
  for (const question of protocol.questions) if (key in question.show_when) delete changed[question.key];
  return changed;
}

/**
 * The visible questions, and the answers to them that are not empty.
 * @param {Protocol} protocol
 * @param {Answers} answers
 */
function splitAnswers(protocol, answers) {
  const visible = [];
  /** @type {Answers} */
  const valid = Object.create(null); // no prototype: "__proto__" is then a key like any other
  for (const question of protocol.questions) {
    if (!holds(question.show_when, valid)) continue;
    visible.push(question);
    if (Object.hasOwn(answers, question.key) && hasValue(question, answers[question.key])) {
      valid[question.key] = answers[question.key];
    }
  }
  return { visible, valid };
}

/**
 * Whether the question is answered by typing.
 * @param {Question} question
 */
export const isWritten = ({ kind }) => WRITTEN_KINDS.includes(kind);

/** @param {string} text */
export const isBlank = (text) => BLANK.test(text);

/**
 * @param {Question} question
 * @param {unknown} answer
 */
function hasValue(question, answer) {
  const isEmpty = isWritten(question) && typeof answer === "string" && isBlank(answer);
  return answer !== null && answer !== undefined && !isEmpty;
}

/**
 * @param {Protocol} protocol
 * @param {Answers} answers
 */
function unknownAnswers(protocol, answers) {
  const keys = new Set(protocol.questions.map((question) => question.key));
  return Object.entries(answers).filter(([key, answer]) => !keys.has(key) && answer !== null && answer !== undefined);
}

/**
 * @param {Question} question
 * @param {Answers} answers
 */
function questionProblems(question, answers) {
  if (!Object.hasOwn(answers, question.key)) {
    return question.required && holds(question.require_when, answers)
      ? [translate("This question needs an answer.")]
      : [];
  }
  const answer = answers[question.key];
  const messages = isWritten(question) ? textProblems(question, answer) : choiceProblems(question, answer);
  return messages.length || question.kind !== "urls" ? messages : addressProblems(answer);
}

/**
 * @param {Question} question
 * @param {unknown} answer
 */
function choiceProblems(question, answer) {
  const keys = question.options.map((option) => option.key);
  return typeof answer === "string" && keys.includes(answer)
    ? []
    : [`${describe(answer)} is not one of the options: ${keys.join(", ")}.`];
}

/**
 * @param {Question} question
 * @param {unknown} answer
 */
function textProblems(question, answer) {
  if (typeof answer !== "string") return [`${describe(answer)} is not a text.`];
  const messages = [];
  const length = [...answer].length; // code points, as in Python
  if (question.max_length !== null && length > question.max_length) {
    messages.push(
      translate("The text has %(length)s characters; at most %(most)s are allowed.", {
        length: String(length),
        most: String(question.max_length),
      }),
    );
  }
  if (UNSTORABLE.test(answer)) {
    messages.push(translate("The text contains a character that cannot be stored (NUL, or half of a surrogate pair)."));
  }
  return messages;
}

/** @param {unknown} answer */
function describe(answer) {
  if (typeof answer === "string") return `'${echo(answer)}'`;
  if (Array.isArray(answer)) return "A list";
  if (typeof answer === "boolean") return "True or false";
  return typeof answer === "number" ? "A number" : "An object";
}

/**
 * The beginning of a visitor's text, safe to send back as UTF-8.
 * @param {string} text
 */
function echo(text) {
  return [...text].slice(0, MAX_ECHO).join("").replace(new RegExp(UNSTORABLE, "gu"), "\ufffd");
}

// Web addresses that raters enter, one a line. They are never fetched.

const MAX_ADDRESS = 2000; // characters

const FORBIDDEN = String.raw`\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff<>"`;
const LABEL = String.raw`[^${FORBIDDEN}./?#@:%\[\]\\]+`;
const HOST = String.raw`(?:${LABEL}(?:\.${LABEL})+\.?|\[[0-9A-Fa-f:.]+\])`;
const ADDRESS = new RegExp(
  String.raw`^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(?::[0-9]{1,5})?(?:[/?#][^${FORBIDDEN}]*)?$`,
  "u",
);

/**
 * The lines of an answer, without blank ones and without spaces at their ends.
 * @param {string} text
 */
export function addresses(text) {
  return text
    .split("\n")
    .map((line) => line.replace(/^[ \t\r]+|(?<![ \t\r])[ \t\r]+$/g, ""))
    .filter(Boolean);
}

/**
 * Whether it is a web address that may become a link.
 * @param {string} line
 */
export function isAddress(line) {
  return [...line].length <= MAX_ADDRESS && ADDRESS.test(line);
}

/**
 * A message for each line that is not a web address.
 * @param {string} text
 */
function addressProblems(text) {
  return addresses(text).flatMap((line, index) => (isAddress(line) ? [] : [addressProblem(index + 1, line)]));
}

/**
 * @param {number} number
 * @param {string} line
 */
function addressProblem(number, line) {
  const characters = [...line];
  if (characters.length > MAX_ADDRESS)
    return translate("Address %(n)s has %(length)s characters; at most %(most)s are allowed.", {
      n: String(number),
      length: String(characters.length),
      most: String(MAX_ADDRESS),
    });
  const start = characters.slice(0, MAX_ECHO).join("");
  return translate(
    "Address %(n)s, '%(address)s', is not a web address: it must start with http:// or https:// and have no space.",
    { n: String(number), address: start },
  );
}
