// Answers against a protocol in the rater's page: the twin of annotation/protocols/answer_validation.py and addresses.py, wording included.
// `protocol` is what Protocol.as_json() gives, `answers` maps question keys to answers. Nothing here is changed in place.
// Keys come from data: "constructor" is a possible question, so an inherited property must never pass for an answer.

import { translate } from "./translate.js";

const UNSTORABLE = /[\0\p{Surrogate}]/u;
const BLANK = /^[ \t\r\n]*$/;
const ECHO = 60;
const WRITTEN = ["text", "urls"]; // kinds whose answer is typed in

/** Whether each question the condition names was answered with one of its values. An empty condition holds. */
export function holds(condition, answers) {
  return Object.entries(condition).every(([key, values]) => values.includes(answers[key]));
}

/** What is asked about one item: questions asked once come with a response's last item only, some with items of their kinds. */
export function askedAbout(protocol, isLast, kind) {
  const isAsked = ({ once, kinds }) => (isLast || !once) && (!kinds.length || kinds.includes(kind));
  return { ...protocol, questions: protocol.questions.filter(isAsked) };
}

/** The questions a rater with these answers sees, in order. */
export function visibleQuestions(protocol, answers) {
  return walk(protocol, answers).visible;
}

/** The answers without nulls, blank texts and answers to hidden questions; unknown questions stay, to be named. */
export function prune(protocol, answers) {
  return { ...walk(protocol, answers).kept, ...Object.fromEntries(unknown(protocol, answers)) };
}

/** What keeps these answers from being stored: question key to messages; empty when they are complete. */
export function problems(protocol, answers) {
  const { visible, kept } = walk(protocol, answers);
  const found = new Map(visible.map((question) => [question.key, problemsOf(question, kept)]));
  const asked = protocol.questions.map((question) => question.key).join(", ");
  for (const [key] of unknown(protocol, answers)) {
    const message = `'${echo(key)}' is not a question of this protocol; its questions are: ${asked}.`;
    found.set(echo(key), [...(found.get(echo(key)) ?? []), message]);
  }
  return Object.fromEntries([...found].filter(([, messages]) => messages.length));
}

/** Whether these answers can be stored as they are. */
export function isComplete(protocol, answers) {
  return Object.keys(problems(protocol, answers)).length === 0;
}

/** `answers` with one more; what depended on another answer to the same question must be given anew. */
export function withAnswer(protocol, answers, question, value) {
  const next = { ...answers, [question]: value };
  if (answers[question] === value) return next;
  for (const later of protocol.questions) if (question in later.show_when) delete next[later.key];
  return next;
}

function walk(protocol, answers) {
  const visible = [];
  const kept = Object.create(null); // no prototype: the key "__proto__" is then a key like any other
  for (const question of protocol.questions) {
    if (!holds(question.show_when, kept)) continue;
    visible.push(question);
    if (Object.hasOwn(answers, question.key) && isGiven(question, answers[question.key])) {
      kept[question.key] = answers[question.key];
    }
  }
  return { visible, kept };
}

/** Whether its answer is typed in. */
export const isWritten = ({ kind }) => WRITTEN.includes(kind);

/** Whether a text says nothing. */
export const isBlank = (text) => BLANK.test(text);

function isGiven(question, answer) {
  const blank = isWritten(question) && typeof answer === "string" && isBlank(answer);
  return answer !== null && answer !== undefined && !blank;
}

function unknown(protocol, answers) {
  const known = new Set(protocol.questions.map((question) => question.key));
  return Object.entries(answers).filter(([key, answer]) => !known.has(key) && answer !== null && answer !== undefined);
}

function problemsOf(question, kept) {
  if (!Object.hasOwn(kept, question.key)) {
    return question.required && holds(question.require_when, kept) ? [translate("This question needs an answer.")] : [];
  }
  const check = isWritten(question) ? textProblems : choiceProblems;
  const found = check(question, kept[question.key]);
  return found.length || question.kind !== "urls" ? found : addressProblems(kept[question.key]);
}

function choiceProblems(question, answer) {
  const keys = question.options.map((option) => option.key);
  return keys.includes(answer) ? [] : [`${name(answer)} is not one of the options: ${keys.join(", ")}.`];
}

function textProblems(question, answer) {
  if (typeof answer !== "string") return [`${name(answer)} is not a text.`];
  const found = [];
  const length = [...answer].length; // code points, as Python counts
  if (question.max_length !== null && length > question.max_length) {
    found.push(translate("The text has %(length)s characters; at most %(most)s are allowed.", { length: String(length), most: String(question.max_length) }));
  }
  if (UNSTORABLE.test(answer)) {
    found.push(translate("The text holds a character that cannot be stored (NUL, or half of a surrogate pair)."));
  }
  return found;
}

function name(answer) {
  if (typeof answer === "string") return `'${echo(answer)}'`;
  if (Array.isArray(answer)) return "A list";
  return { boolean: "True or false", number: "A number" }[typeof answer] ?? "An object";
}

// A visitor's text, short enough to repeat and safe to send back as UTF-8.
function echo(text) {
  return [...text].slice(0, ECHO).join("").replace(new RegExp(UNSTORABLE, "gu"), "\ufffd");
}

// Web addresses that raters name, one a line. Never fetched.

const LONGEST_ADDRESS = 2000;

const NEVER = String.raw`\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff<>"`;
const LABEL = String.raw`[^${NEVER}./?#@:%\[\]\\]+`;
const HOST = String.raw`(?:${LABEL}(?:\.${LABEL})+\.?|\[[0-9A-Fa-f:.]+\])`;
const ADDRESS = new RegExp(String.raw`^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(?::[0-9]{1,5})?(?:[/?#][^${NEVER}]*)?$`, "u");

/** The lines of an answer, without blank ones and without spaces at their ends. */
export function addresses(text) {
  return text.split("\n").map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, "")).filter(Boolean);
}

/** Whether it is a web address that may be made a link. */
export function isAddress(line) {
  return [...line].length <= LONGEST_ADDRESS && ADDRESS.test(line);
}

/** What is wrong with an answer of web addresses, a message for each line that is none. */
function addressProblems(text) {
  return addresses(text).flatMap((line, index) => (isAddress(line) ? [] : [wrongAddress(index + 1, line)]));
}

function wrongAddress(number, line) {
  const characters = [...line];
  if (characters.length > LONGEST_ADDRESS) return translate("Address %(n)s has %(length)s characters; at most %(most)s are allowed.", { n: String(number), length: String(characters.length), most: String(LONGEST_ADDRESS) });
  const shown = characters.slice(0, ECHO).join("");
  return translate("Address %(n)s, '%(address)s', is not a web address: it begins with http:// or https:// and has no spaces.", { n: String(number), address: shown });
}
