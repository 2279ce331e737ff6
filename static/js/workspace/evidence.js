// Evidence for the selected item: the article's best passages in a section below it, its rare words and numbers
// highlighted, text selected by hand, and attached passages. All of it is computed after the next frame, so that no key
// waits for it; an article is indexed once, in idle moments.

import { translate } from "../shared/translate.js";
import { NumberIndex } from "./numbers.js";
import { PassageIndex, sentencesIn } from "./passage_ranking.js";
import {
  AttachedList,
  fromCodePoints,
  isSamePlace,
  liveRange,
  paint,
  Paragraphs,
  scrollToRange,
  stanceLabel,
  toCodePoints,
} from "./passages.js";
import { itemText } from "./sheet.js";

const MAX_HIGHLIGHTS = 400;
const TIME_SLICE = 8; // milliseconds of indexing at a time
const TOUCH_TIME = 700; // milliseconds in which a touch on a button may clear the selection

/**
 * The evidence found for an item.
 * @typedef {{ passages: Passage[], missing: string[], index: number, isShown: boolean }} Findings
 */

export class Evidence {
  /**
   * @param {HTMLElement} answerForm
   * @param {object} callbacks
   * @param {(passages: Passage[], stance: string) => void} callbacks.attach
   * @param {(passage: Passage) => void} callbacks.remove
   * @param {(message: string) => void} callbacks.announce
   */
  constructor(answerForm, { attach, remove, announce }) {
    this.attachPassages = attach;
    this.announce = announce;
    this.list = new AttachedList(answerForm.querySelector("[data-evidence-row]"), {
      show: (passage) => this.showAttached(passage),
      remove,
    });
    /** @type {Item | null} */
    this.item = null;
    /** @type {HTMLElement | null} */
    this.article = null;
    /** @type {PageElement} Null without an article. */
    this.section = /** @type {PageElement} */ (/** @type {unknown} */ (null));
    this.hasSuggestions = false;
    this.prompt = "";
    /** @type {Map<string, Findings>} */
    this.findingsByItem = new Map();
    /** @type {Paragraphs} */
    this.paragraphs = new Paragraphs(document.createElement("div"));
    this.index = new PassageIndex();
    this.numbers = new NumberIndex();
    /** @type {string[]} Paragraphs that are not indexed yet. */
    this.unread = [];
    /** @type {Passage[]} Passages that were selected by hand. */
    this.selected = [];
    this.isTextSelected = false;
    this.isSelectionHeld = false;
    /** The stance under which a passage was attached a moment ago: the section confirms it. */
    this.attachedAs = "";
    document.addEventListener("selectionchange", () => this.readSelection());
  }

  /**
   * Indexes the article inside `part`, if it is another one.
   * @param {HTMLElement} part
   * @param {Work} work
   */
  open(part, work) {
    this.hasSuggestions = work.suggestions;
    this.prompt = part.ownerDocument.querySelector(".prompt")?.textContent ?? "";
    this.findingsByItem = new Map();
    const article = part.querySelector("[data-article]");
    if (article === this.article) return;
    this.article = article;
    this.section = part.querySelector("[data-evidence]");
    this.index = new PassageIndex();
    this.numbers = new NumberIndex();
    this.unread = [];
    if (article) this.paragraphs = new Paragraphs(article);
    this.section?.addEventListener("pointerdown", (/** @type {ElementMouseEvent} */ event) =>
      this.preserveSelection(event),
    );
    this.section?.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
    if (article && this.hasSuggestions) this.startIndexing(article);
  }

  /** @param {HTMLElement} article */
  startIndexing(article) {
    this.unread = [...this.paragraphs.byId.keys()];
    this.numbers.add(
      [...article.querySelectorAll("h2, h3, h4, h5, .ref")].map((heading) => heading.textContent).join("\n"),
    );
    if (this.unread.length) afterNextFrame(() => this.indexSome());
  }

  /** Indexes a few paragraphs at a time; then looks the selected item up. */
  indexSome() {
    const end = performance.now() + TIME_SLICE;
    while (this.unread.length && performance.now() < end) {
      const id = /** @type {string} */ (this.unread.shift());
      const text = this.paragraphs.searchableText(id);
      this.index.add(id, text, this.paragraphs.heading(id));
      this.numbers.add(text, id);
    }
    if (this.unread.length) afterNextFrame(() => this.indexSome());
    else if (this.item) this.lookUp(this.item);
  }

  /**
   * Shows the evidence of another item.
   * @param {Item} item
   */
  show(item) {
    if (item !== this.item) {
      this.clearSelection();
      this.attachedAs = "";
    }
    this.item = item;
    if (!this.article) return this.list.show([], []);
    this.showList();
    return afterNextFrame(() => this.item === item && this.lookUp(item), this);
  }

  /** Shows the attached passages after a change. */
  update() {
    if (!this.article || !this.item) return;
    this.attachedAs = "";
    this.showPassage();
    this.showList();
    this.paintAttached(this.item);
  }

  /** @param {Item} item */
  lookUp(item) {
    this.paintAttached(item);
    if (!this.hasSuggestions) return this.showPassage();
    if (this.unread.length) return; // `indexSome` looks it up
    const findings = this.findingsByItem.get(item.id) ?? this.find(item);
    this.findingsByItem.set(item.id, findings);
    item.suggestions = item.suggestions === "used" ? "used" : "on";
    this.showList();
    this.showPassage();
    const { passages, index } = findings;
    paint("suggested", () => passages.map((passage, n) => (n === index ? null : this.rangeOf(passage))));
    paint("shown", () => (passages[index] ? [this.rangeOf(passages[index])] : []));
    this.highlightWords(itemText(item));
  }

  /**
   * @param {Item} item
   * @returns {Findings}
   */
  find(item) {
    const sentence = itemText(item);
    const passages = this.index
      .best(sentence, this.prompt)
      .map(({ paragraph, start, end }) => ({
        paragraph,
        start,
        end,
        text: this.paragraphs.text(paragraph).slice(start, end),
      }));
    const missing = this.numbers.missing(sentence).map(({ start, end }) => sentence.slice(start, end));
    markMissingNumbers(item, this.numbers);
    return { passages, missing: [...new Set(missing)], index: 0, isShown: false };
  }

  /** @param {string} sentence */
  highlightWords(sentence) {
    /** @param {PassageRange} passage */
    const rangeOf = (passage) => this.rangeOf(passage);
    paint("words", () => this.index.rareWordPlaces(sentence).slice(0, MAX_HIGHLIGHTS).map(rangeOf));
    paint("numbers", () => this.numbers.occurrences(sentence).slice(0, MAX_HIGHLIGHTS).map(rangeOf));
  }

  get findings() {
    return this.findingsByItem.get(this.item?.id ?? "");
  }

  get passages() {
    return this.findings?.passages ?? [];
  }

  /** The suggestion in the evidence section. */
  get suggestion() {
    return this.passages[this.findings?.index ?? 0];
  }

  /**
   * Shows the next or previous suggestion; the first call shows the one that is named in the evidence section.
   * @param {number} step
   */
  walk(step) {
    const { findings, item } = this;
    if (!this.article || !item) return;
    if (!findings?.passages.length)
      return this.announce(
        this.hasSuggestions
          ? translate("No passage of the article shares words with this sentence.")
          : translate("This project suggests no passages."),
      );
    this.selected = [];
    this.attachedAs = "";
    if (findings.isShown)
      findings.index = (findings.index + step + findings.passages.length) % findings.passages.length;
    findings.isShown = true;
    item.suggestions = "used";
    this.lookUp(item);
    this.scrollTo(this.suggestion);
    this.announce(
      translate("Passage %(place)s: %(text)s", {
        place: this.passageLabel(this.suggestion),
        text: this.shownText(this.suggestion),
      }),
    );
  }

  /**
   * Attaches the text selected by hand, or else the suggestion in the evidence section.
   * @param {string} stance
   */
  attach(stance) {
    if (!this.article || !this.item) return;
    this.readSelection(); // a browser reports a selection a little later
    const passages = this.selected.length ? this.selected : [this.suggestion].filter(Boolean);
    if (!passages.length) return this.announce(translate("Select text in the article to attach it."));
    if (!this.selected.length) this.item.suggestions = "used";
    this.clearSelection();
    this.attachPassages(
      passages.map((passage) => this.toStored(passage)),
      stance,
    );
    this.attachedAs = stance;
    this.showPassage();
    const text = passages.map((passage) => this.shownText(passage)).join(" … ");
    this.announce(
      translate("%(stance)s, attached: %(heading)s: %(text)s", {
        stance: stanceLabel(stance),
        heading: this.paragraphs.heading(passages[0].paragraph),
        text,
      }),
    );
  }

  /**
   * Selects the sentence around a match in the article, as if by hand: for those who work without a mouse.
   * @param {StaticRange} range
   */
  selectSentenceAt(range) {
    const [match] = this.paragraphs.coveredBy(liveRange(range));
    if (!match) return;
    const { paragraph } = match;
    const text = this.paragraphs.text(paragraph);
    const { start, end } =
      sentencesIn(text).find((sentence) => sentence.start <= match.start && match.start < sentence.end) ?? match;
    this.selected = [{ paragraph, start, end, text: text.slice(start, end) }];
    this.showPassage();
  }

  readSelection() {
    const selection = document.getSelection();
    if (!this.article || !selection || this.isSelectionHeld || !selection.rangeCount) return;
    const isInside = this.article.contains(selection.anchorNode) && this.article.contains(selection.focusNode);
    if (!isInside && !this.selected.length) return;
    if (selection.isCollapsed && !this.isTextSelected) return;
    this.selected = isInside && !selection.isCollapsed ? this.paragraphs.coveredBy(selection.getRangeAt(0)) : [];
    this.isTextSelected = this.selected.length > 0;
    this.showPassage();
  }

  /**
   * A touch on a button of the evidence section would clear the selection before the button is clicked.
   * @param {ElementMouseEvent} event
   */
  preserveSelection(event) {
    if (!event.target.closest("button")) return;
    this.isSelectionHeld = true;
    setTimeout(() => {
      this.isSelectionHeld = false;
    }, TOUCH_TIME);
  }

  clearSelection() {
    if (this.isTextSelected) document.getSelection()?.removeAllRanges();
    this.isTextSelected = false;
    this.isSelectionHeld = false;
    this.selected = [];
  }

  /** @param {ElementMouseEvent} event */
  click(event) {
    const button = event.target.closest("button");
    if (button?.dataset.walk) return this.walk(Number(button.dataset.walk));
    if (button?.dataset.attach) return this.attach(button.dataset.attach);
    const passage = this.selected[0] ?? this.suggestion;
    if (!button && passage) this.scrollTo(passage);
  }

  // Display

  showPassage() {
    const [selected] = this.selected;
    if (selected) this.attachedAs = "";
    const passage = selected ?? this.suggestion;
    const place = selected
      ? `${translate("Selected")}${headingSuffix(this.paragraphs.heading(selected.paragraph))}`
      : passage
        ? this.passageLabel(passage)
        : "";
    const passages = selected ? this.selected : [passage].filter(Boolean);
    this.section.toggleAttribute("data-by-hand", Boolean(selected));
    this.section.dataset.attached = this.attachedAs;
    this.section.querySelector("[data-evidence-place]").textContent = this.attachedAs
      ? "✓ " + translate("Attached: %(stance)s", { stance: stanceLabel(this.attachedAs) })
      : place;
    this.section.querySelector("[data-evidence-text]").textContent = passage
      ? passages.map((each) => this.shownText(each)).join(" … ")
      : this.emptyText();
    for (const button of this.section.querySelectorAll("[data-attach]")) button.disabled = !passage;
    for (const button of this.section.querySelectorAll("[data-walk]")) button.disabled = !this.passages.length;
    this.section.dataset.evidence = this.item?.id ?? "";
  }

  emptyText() {
    if (!this.hasSuggestions) return translate("Select text in the article to attach it as evidence.");
    return this.findings
      ? translate("No passage of the article shares words with this sentence. Select text to attach it.")
      : "";
  }

  /** @param {PassageRange} passage */
  passageLabel({ paragraph }) {
    return (
      translate("%(n)s of %(all)s", { n: (this.findings?.index ?? 0) + 1, all: this.passages.length }) +
      headingSuffix(this.paragraphs.heading(paragraph))
    );
  }

  showList() {
    const attached = (this.item?.evidence ?? []).map((passage) => ({
      ...passage,
      heading: this.paragraphs.heading(passage.paragraph),
      shownText: this.shownText(this.toPage(passage)) || passage.text,
    }));
    this.list.show(attached, this.findings?.missing ?? []);
  }

  /** @param {Item} item */
  paintAttached({ evidence }) {
    for (const stance of /** @type {const} */ (["supports", "contradicts"])) {
      paint(stance, () =>
        evidence.filter((passage) => passage.stance === stance).map((passage) => this.rangeOf(this.toPage(passage))),
      );
    }
  }

  /** @param {Passage} passage */
  showAttached(passage) {
    const { findings, item } = this;
    const index = this.passages.findIndex((each) => isSamePlace(this.toStored(each), passage));
    if (findings && index >= 0) findings.index = index;
    if (item) this.lookUp(item);
    this.scrollTo(this.toPage(passage));
  }

  /** @param {PassageRange} passage */
  scrollTo(passage) {
    const range = this.rangeOf(passage);
    if (range && this.article) scrollToRange(this.article, liveRange(range));
  }

  /**
   * The text as the article shows it, which may differ from the stored one.
   * @param {PassageRange} passage
   */
  shownText(passage) {
    const range = this.rangeOf(passage);
    return range ? liveRange(range).toString().replace(/\s+/g, " ") : "";
  }

  /** @param {PassageRange} passage */
  rangeOf(passage) {
    return this.paragraphs.range(passage);
  }

  /**
   * With offsets in code points, as the server counts.
   * @param {Passage} passage
   */
  toStored({ paragraph, start, end, text }) {
    const whole = this.paragraphs.text(paragraph);
    return { paragraph, start: toCodePoints(whole, start), end: toCodePoints(whole, end), text };
  }

  /** @param {PassageRange} passage */
  toPage({ paragraph, start, end }) {
    const whole = this.paragraphs.text(paragraph);
    return { paragraph, start: fromCodePoints(whole, start), end: fromCodePoints(whole, end) };
  }
}

/** @param {string} heading */
function headingSuffix(heading) {
  return heading ? ` · ${heading}` : "";
}

/**
 * Underlines the numbers of an item that the article does not have; visible while the item is selected.
 * @param {Item} item
 * @param {NumberIndex} numbers
 */
function markMissingNumbers(item, numbers) {
  for (const span of item.spans) {
    const walker = document.createTreeWalker(span, NodeFilter.SHOW_TEXT);
    /** @type {Text[]} */
    const nodes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest("math, .unfound")) nodes.push(/** @type {Text} */ (node));
    for (const node of nodes)
      for (const { start, end } of numbers.missing(node.data).reverse()) underline(node, start, end);
  }
}

/**
 * @param {Text} node
 * @param {number} start
 * @param {number} end
 */
function underline(node, start, end) {
  const number = node.splitText(start);
  number.splitText(end - start);
  const hint = document.createElement("span");
  hint.className = "unfound";
  hint.title = translate("Not found in the article");
  number.replaceWith(hint);
  hint.append(number);
}

/** @type {WeakMap<object, object>} Owner -> its last request. */
const requests = new WeakMap();

/**
 * Runs `act` after the next frame; of several requests of the same `owner`, only the last.
 * @param {() => void} act
 * @param {object} owner
 */
function afterNextFrame(act, owner = {}) {
  const request = {};
  requests.set(owner, request);
  const run = () => {
    if (requests.get(owner) === request) act();
  };
  requestAnimationFrame(() =>
    setTimeout(() => ("requestIdleCallback" in globalThis ? requestIdleCallback(run, { timeout: 120 }) : run())),
  );
}
