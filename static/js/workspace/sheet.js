// The sheet in the page and its items: which item is selected, which are answered and how. Only attributes and classes
// of the response's text change. Other modules listen to events (docs/workspace.md).

import { isComplete, protocolForItem } from "../shared/protocol.js";
import { plural, translate } from "../shared/translate.js";

/** @type {Record<Protocol["unit"], (count: number) => string>} */
const UNITS = {
  sentence: (n) => plural("sentence", "sentences", n),
  claim: (n) => plural("claim", "claims", n),
  fact: (n) => plural("fact", "facts", n),
  response: (n) => plural("response", "responses", n),
  pair: (n) => plural("pair", "pairs", n),
};

const CLAIM_FREE = "claim-free";

/** @param {string} name */
export const part = (name) => document.querySelector(`[data-part="${name}"]`);

/**
 * @typedef {object} WorkspaceEvents
 * @property {{ assignment: string, work: Work }} sheet-opened a sheet is in the page
 * @property {Item} item-selected
 * @property {{ assignment: string, item: string, answers: Answers | null, more?: AnswerDetails }} answer-saved
 * @property {JournalEntry} question-sent the leads have a question
 * @property {null} side-panel-changed
 */

/**
 * Dispatches the event `factuary:NAME` on the document.
 * @template {keyof WorkspaceEvents} Name
 * @param {Name} name
 * @param {WorkspaceEvents[Name]} detail
 */
export function emit(name, detail) {
  document.dispatchEvent(new CustomEvent(`factuary:${name}`, { detail }));
}

/**
 * @template {keyof WorkspaceEvents} Name
 * @param {Name} name
 * @param {(detail: WorkspaceEvents[Name]) => void} listener
 */
export function listen(name, listener) {
  document.addEventListener(`factuary:${name}`, (event) => listener(/** @type {CustomEvent} */ (event).detail));
}

/**
 * Announces a message to screen readers, politely.
 * @param {string} message
 */
export function announce(message) {
  document.querySelector("[data-announcements]").textContent = message;
}

export function focusQuestions() {
  document.querySelector("[data-answer-form]").focus({ preventScroll: true });
}

/**
 * The items of the sheet with their spans, in order.
 * @param {HTMLElement} root
 * @param {Work} work
 * @returns {Item[]}
 */
function readItems(root, work) {
  const prompt = root.querySelector(".prompt")?.textContent.trim() ?? "";
  /** @type {Map<number, HTMLElement[]>} */
  const spans = new Map();
  for (const span of root.querySelectorAll(".s[data-item]")) {
    const position = Number(span.dataset.item);
    spans.set(position, [...(spans.get(position) ?? []), span]);
  }
  const items = work.items.map((item, index) => ({
    ...item,
    assignment: work.id,
    index,
    prompt,
    answers: item.answers ?? null,
    draft: { ...item.answers },
    evidence: (item.evidence ?? []).filter(isPassage),
    suggestions: item.suggestions ?? "",
    spans: spans.get(item.position) ?? [],
  }));
  if (items.length > 1)
    for (const { index, spans: ownSpans } of items) ownSpans[0]?.setAttribute("data-number", String(index + 1));
  return items;
}

/**
 * Puts a label after each item that is marked as likely free of claims. It is there from the start, so nothing moves
 * later, and is no part of the item's text.
 * @param {Item[]} items
 */
function labelClaimFree(items) {
  for (const { spans, claim_free: reason } of items) {
    const last = spans.at(-1);
    if (!reason || !last || last.nextElementSibling?.classList.contains(CLAIM_FREE)) continue;
    const label = document.createElement("small");
    label.className = CLAIM_FREE;
    label.textContent = translate("no claim? %(reason)s", { reason });
    label.title = translate("Its wording suggests that it makes no claim. Rate it like any other.");
    last.after(label);
  }
}

/**
 * An import may have brought other kinds of evidence, which the page leaves alone.
 * @param {Partial<Passage>} evidence
 */
export function isPassage({ paragraph, start, end, stance, text }) {
  return [paragraph, stance, text].every((value) => typeof value === "string") && [start, end].every(Number.isInteger);
}

/**
 * Whether two answers are equal; null is no answer.
 * @param {Answers | null} a
 * @param {Answers | null} b
 */
export function sameAnswers(a, b) {
  if (!a || !b) return a === b;
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

/**
 * Whether the draft differs from the answer.
 * @param {Item} item
 */
export const isBegun = (item) => !sameAnswers(item.draft, item.answers ?? {});

/**
 * The item's text; of a pair, which has no span in the text, the prompt.
 * @param {Item} item
 */
export function itemText(item) {
  if (!item.spans.length) return item.prompt;
  return item.spans
    .map((span, n) => separator(item.spans[n - 1], span) + span.textContent)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * What is between two spans of an item: the cells of a table's row are listed, blocks are words apart.
 * @param {HTMLElement | undefined} previous
 * @param {HTMLElement} span
 */
function separator(previous, span) {
  if (!previous) return "";
  const isSame = (/** @type {string} */ blocks) => previous.closest(blocks) === span.closest(blocks);
  return isSame("td, th") ? (isSame("p, li, h3, h4, h5, h6, pre") ? "" : " ") : ", ";
}

/**
 * @param {HTMLElement} span
 * @param {string} name
 * @param {string | null} value
 */
function setData(span, name, value) {
  if (value === null) delete span.dataset[name];
  else span.dataset[name] = value;
}

/**
 * Of the evidence that was imported with the items, shows that of this item.
 * @param {Item} item
 */
function showSources({ position }) {
  const box = part("article").querySelector("[data-sources]");
  if (!box) return;
  for (const section of box.querySelectorAll("[data-sources-of]"))
    section.hidden = section.dataset.sourcesOf !== String(position);
  box.scrollTop = 0;
}

/**
 * A list entry with an item's number and text.
 * @param {Item} item
 * @param {() => void} onClick
 */
export function itemEntry(item, onClick) {
  const entry = document.createElement("li");
  const button = document.createElement("button");
  const number = document.createElement("span");
  number.className = "num";
  number.textContent = String(item.index + 1);
  button.type = "button";
  button.append(number, Object.assign(document.createElement("span"), { dir: "auto", textContent: itemText(item) }));
  button.addEventListener("click", onClick);
  entry.append(button);
  return entry;
}

const NO_ITEM = /** @type {Item} */ (/** @type {unknown} */ (null));

/** The sheet that the page shows. */
export class Sheet {
  /** @type {Work} */
  work = /** @type {Work} */ (/** @type {unknown} */ (null));
  /** When the server was asked for the sheet, in milliseconds. */
  askedAt = 0;
  /** @type {Item[]} */
  items = [];
  /** @type {Item} The selected item; null while a sheet is opened. */
  current = NO_ITEM;
  /** When it was selected, less the time that was spent on it before (performance.now()). */
  selectedAt = 0;
  /** Whether another response is being put into the page: keys wait. */
  isChanging = false;
  /** Whether the next response is awaited: keys wait. */
  isFinishing = false;
  /** @type {HTMLElement | null} The button whose drawer or find bar is being opened: keys wait. */
  openingButton = null;
  /** @type {JournalEntry[]} Changes of bookmarks that the server may not have known when it made the page. */
  bookmarkEntries = [];
  /** @type {Map<string, LeftSheet>} Sheets that were left, by assignment (finish_response.js). */
  leftSheets = new Map();

  /** Reads the sheet from the page: the page's own, or one that was fetched later. */
  readSheet(askedAt = Date.now() - performance.now()) {
    this.askedAt = askedAt;
    this.work = JSON.parse(document.getElementById("work").textContent);
    this.items = readItems(part("answer"), this.work);
    labelClaimFree(this.items);
    this.current = NO_ITEM;
  }

  /**
   * The item of that id on this sheet or on one that was left; null without one.
   * @param {string | undefined} id
   */
  findItem(id) {
    for (const { items } of [this, ...this.leftSheets.values()]) {
      const item = items.find((each) => each.id === id);
      if (item) return item;
    }
    return null;
  }

  /**
   * The work of an assignment that is in the page or was.
   * @param {string} assignment
   */
  findWork(assignment) {
    return this.work.id === assignment ? this.work : this.leftSheets.get(assignment)?.work;
  }

  /** @param {Item} item */
  isOnSheet(item) {
    return this.items.includes(item);
  }

  /**
   * Selects an item: it is highlighted, and the questions are about it.
   * @param {Item} item
   */
  selectItem(item) {
    const previous = this.current;
    this.current = item;
    this.selectedAt = performance.now();
    if (previous && previous !== item) {
      this.showState(previous);
      for (const span of previous.spans) span.classList.remove("now");
    }
    for (const span of item.spans) span.classList.add("now");
    this.scrollToItem(item);
    showSources(item);
    // As wide as the last number.
    const number = String(item.index + 1).padStart(String(this.items.length).length, "\u2007");
    for (const label of document.querySelectorAll("[data-item-number]")) label.textContent = this.numberedLabel(number);
    document.querySelector("[data-current-item-label]").textContent = this.itemDescription(item);
    document.querySelector("[data-current-item-text]").textContent = itemText(item);
    emit("item-selected", item);
    if (!document.activeElement?.closest("[data-workspace], dialog")) focusQuestions();
  }

  /**
   * Selects the item before or after.
   * @param {number} step
   */
  move(step) {
    const item = this.items[this.current.index + step];
    if (item) this.goTo(item);
  }

  /**
   * Selects an item and announces it, with its answer.
   * @param {Item} item
   */
  goTo(item) {
    this.selectItem(item);
    const answer = item.answers ? `(${this.answerText(item.answers)})` : "";
    announce(`${this.itemLabel(item)}: ${itemText(item)} ${answer}`.trim());
  }

  /** Selects the next item without an answer. */
  selectNextOpen() {
    const { current } = this;
    const open = this.openItems();
    this.selectItem(open.find(({ index }) => index > current.index) ?? open[0] ?? current);
    if (document.activeElement?.closest("[inert]") || document.activeElement === document.body) focusQuestions();
  }

  showProgress() {
    const { items, work } = this;
    const done = items.length - this.openItems().length;
    /** @type {HTMLProgressElement} */
    const progress = document.querySelector("[data-progress]");
    progress.max = Math.max(1, items.length);
    progress.value = done;
    document.querySelector("[data-progress-text]").textContent = translate("%(n)s of %(all)s", {
      n: done,
      all: items.length,
    });
    document.querySelector("[data-finish]").classList.toggle("ready", done === items.length && !work.finished);
  }

  /** What is rated, in words: "sentence", "sentences". */
  unitWord(count = 1) {
    return UNITS[this.work.protocol.unit](count);
  }

  /** @param {string | number} number */
  numberedLabel(number) {
    const unit = this.unitWord();
    return translate("%(unit)s %(n)s of %(all)s", {
      unit: unit[0].toUpperCase() + unit.slice(1),
      n: number,
      all: this.items.length,
    });
  }

  /**
   * "Sentence 4 of 9"
   * @param {Item} item
   */
  itemLabel(item) {
    return this.numberedLabel(item.index + 1);
  }

  /**
   * The label with the text, and the mark of an item that is likely free of claims.
   * @param {Item} item
   */
  itemDescription(item) {
    const text = `${this.itemLabel(item)}: ${itemText(item)}`;
    if (!item.claim_free) return text;
    return `${text} (${translate("no claim? %(reason)s", { reason: item.claim_free })})`;
  }

  /**
   * Without an answer, or with a draft that is not complete; the last item also while what is asked once has no answer.
   * @param {Item} item
   */
  isOpen(item) {
    if (!item.answers || isBegun(item)) return true;
    const { items, work } = this;
    return (
      item === items.at(-1) &&
      work.protocol.questions.some(({ once }) => once) &&
      !isComplete(this.protocolFor(item), item.answers)
    );
  }

  openItems() {
    return this.items.filter((item) => this.isOpen(item));
  }

  /**
   * The two options that a sentence's mark shows: the first answer that has a color, and the answer to a question that
   * depends on it.
   * @param {Answers} answers
   */
  markedOptions(answers) {
    const pairs = this.work.protocol.questions.flatMap((question) => {
      const option = question.options.find(({ key }) => key === answers[question.key]);
      return option ? [{ question, option }] : [];
    });
    const main = pairs.find(({ option }) => option.tone !== "neutral") ?? pairs[0];
    const dependent = main && pairs.find(({ question }) => main.question.key in question.show_when);
    return { first: main?.option, second: dependent?.option };
  }

  /**
   * "Inaccurate, Severe", or the text of a written answer.
   * @param {Answers | null} answers
   */
  answerText(answers) {
    const labels = this.work.protocol.questions.map((question) => {
      const answer = answers?.[question.key];
      const quoted = typeof answer === "string" ? translate("“%(text)s”", { text: answer }) : null;
      return question.options.find((option) => option.key === answer)?.label ?? quoted;
    });
    return labels.filter(Boolean).join(", ") || translate("no answer");
  }

  /**
   * Shows sign, color and underline of an item's answer. A flagged answer is underlined; a severe one has another line.
   * @param {Item} item
   */
  showState(item) {
    const isUnfinished = this.isOpen(item);
    const { first, second } = this.markedOptions(item.draft);
    const flag = !second ? null : ["inaccurate", "disputed"].includes(second.tone) ? "heavy" : "light";
    const complete = first && (first.sign || first.label.slice(0, 1)) + (flag === "heavy" ? second?.sign : "");
    const sign = (first ? (isUnfinished ? "…" : complete) : null) ?? (item.answers ? "✓" : null);
    for (const span of item.spans) {
      setData(span, "state", isUnfinished ? "open" : "answered");
      setData(span, "tone", first?.tone ?? null);
      setData(span, "flag", flag);
      setData(span, "sign", span.classList.contains("first") ? sign : null);
    }
  }

  /** Scrolls only if the item is not visible: a notice takes space from the end of the response. */
  scrollToItem(item = this.current) {
    item?.spans.at(-1)?.scrollIntoView({ block: "nearest" });
    item?.spans[0]?.scrollIntoView({ block: "nearest" });
  }

  /**
   * The protocol with the questions about one item. Questions asked once come with the item that has their answers, or
   * else with the last one. As in annotation/rating/whole_response_questions.py.
   * @param {Item} item
   */
  protocolFor(item) {
    const {
      items,
      work: { protocol },
    } = this;
    const once = protocol.questions.filter((question) => question.once);
    /** @param {Answers | null} answers */
    const hasAnswer = (answers) => once.some(({ key }) => answers?.[key] !== undefined);
    const isElsewhere = () => items.some((other) => other !== item && hasAnswer(other.answers));
    const isAsked = hasAnswer(item.answers) || ((item === items.at(-1) || hasAnswer(item.draft)) && !isElsewhere());
    return protocolForItem(protocol, isAsked, item.kind);
  }
}
