// Evidence for the lit sentence: the article's best passages in a strip under it, its words and numbers lit, what was
// selected by hand, and what is attached. Everything is worked out after the next picture is on the screen, so that no
// key press waits for it; an article is read once, in idle moments.

import { reveal } from "./article.js";
import { Numbers } from "./numbers.js";
import { AttachedList, fromCodePoints, inCodePoints, isSame, liveRange, paint, Paragraphs, stanceWords } from "./passages.js";
import { Index, sentencesIn } from "./passage_ranking.js";
import { textOf } from "./sheet.js";
import { translate } from "../shared/translate.js";

const MOST_LIT = 400;
const PATIENCE = 8; // milliseconds of reading at a time

export class Evidence {
  /** `tell` has `attach(passages, stance)`, `remove(passage)`, `used(item)` and `say(words)`. */
  constructor(dock, tell) {
    this.tell = tell;
    this.list = new AttachedList(dock.querySelector("[data-evidence-row]"), { show: (passage) => this.showAttached(passage), remove: tell.remove });
    this.item = null;
    this.chosen = []; // what was selected by hand
    document.addEventListener("selectionchange", () => this.takeSelection());
  }

  /** Reads the article inside `part`, if it is another one. `work` says whether anything is suggested. */
  open(part, work) {
    this.isOn = work.suggestions;
    this.prompt = part.ownerDocument.querySelector(".prompt")?.textContent ?? "";
    this.known = new Map(); // item id -> {passages, missing}
    const article = part.querySelector("[data-article]");
    if (article === this.article) return;
    this.article = article;
    this.strip = part.querySelector("[data-evidence]");
    this.paragraphs = article ? new Paragraphs(article) : null;
    this.index = new Index();
    this.numbers = new Numbers();
    this.unread = article && this.isOn ? [...this.paragraphs.all.keys()] : [];
    this.strip?.addEventListener("pointerdown", (event) => this.holdSelection(event));
    this.strip?.addEventListener("click", (event) => this.click(event));
    if (article && this.isOn) this.numbers.add([...article.querySelectorAll("h2, h3, h4, h5, .ref")].map((each) => each.textContent).join("\n"));
    if (this.unread.length) later(() => this.read());
  }

  /** A few paragraphs at a time; then the lit sentence is looked up. */
  read() {
    const until = performance.now() + PATIENCE;
    while (this.unread.length && performance.now() < until) {
      const id = this.unread.shift();
      const text = this.paragraphs.readable(id);
      this.index.add(id, text, this.paragraphs.heading(id));
      this.numbers.add(text, id);
    }
    if (this.unread.length) later(() => this.read());
    else if (this.item) this.lookUp(this.item);
  }

  /** Goes to another sentence. */
  show(item) {
    if (item !== this.item) this.letGo();
    this.item = item;
    if (!this.article) return this.list.show([], []);
    this.showList();
    return later(() => this.item === item && this.lookUp(item), this);
  }

  /** Shows what is attached now: after it has changed. */
  changed() {
    if (!this.article || !this.item) return;
    this.showList();
    this.paintAttached();
  }

  lookUp(item) {
    this.paintAttached();
    if (!this.isOn) return this.showStrip();
    if (this.unread.length) return null; // `read` comes back
    if (!this.known.has(item.id)) this.known.set(item.id, this.findings(item));
    item.suggestions = item.suggestions === "used" ? "used" : "on";
    this.showList();
    this.showStrip();
    paint("suggested", () => this.passages.map((passage, n) => (n === this.at ? null : this.rangeOf(passage))));
    paint("shown", () => (this.passages[this.at] ? [this.rangeOf(this.passages[this.at])] : []));
    this.lightWords(textOf(item));
    return null;
  }

  findings(item) {
    const sentence = textOf(item);
    const best = this.index.best(sentence, this.prompt);
    const passages = best.map(({ paragraph, start, end }) => ({ paragraph, start, end, text: this.paragraphs.text(paragraph).slice(start, end) }));
    const missing = this.numbers.missing(sentence).map(({ start, end }) => sentence.slice(start, end));
    pointOut(item, this.numbers);
    return { passages, missing: [...new Set(missing)], at: 0, isWalked: false };
  }

  lightWords(sentence) {
    const range = ({ paragraph, start, end }) => this.paragraphs.range(paragraph, start, end);
    paint("words", () => this.index.tellingPlaces(sentence).slice(0, MOST_LIT).map(range));
    paint("numbers", () => this.numbers.places(sentence).slice(0, MOST_LIT).map(range));
  }

  get findingsNow() {
    return this.known?.get(this.item?.id);
  }

  get passages() {
    return this.findingsNow?.passages ?? [];
  }

  get at() {
    return this.findingsNow?.at ?? 0;
  }

  /** The next passage (or the one before); the first press shows the one that is named in the strip. */
  walk(step) {
    const now = this.findingsNow;
    if (!this.article) return;
    if (!now?.passages.length) return this.tell.say(this.isOn ? translate("No passage of the article has words of this sentence.") : translate("Nothing is suggested in this project."));
    this.chosen = [];
    if (now.isWalked) now.at = (now.at + step + now.passages.length) % now.passages.length;
    now.isWalked = true;
    this.tell.used(this.item);
    this.lookUp(this.item);
    this.reveal(now.passages[now.at]);
    this.tell.say(translate("Passage %(place)s: %(text)s", { place: this.placeInWords(now.passages[now.at]), text: this.inWords(now.passages[now.at]) }));
    return null;
  }

  /** Attaches what was selected by hand, or else the passage in the strip. */
  attach(stance) {
    if (!this.article) return;
    this.takeSelection(); // a browser tells of a selection a little later
    const byHand = this.chosen;
    const shown = byHand.length ? byHand : this.passages.slice(this.at, this.at + 1);
    if (!shown.length) return this.tell.say(translate("Select text in the article to attach it."));
    if (!byHand.length) this.tell.used(this.item);
    this.letGo();
    this.tell.attach(shown.map((passage) => this.asStored(passage)), stance);
    this.showStrip();
    const text = shown.map((passage) => this.inWords(passage)).join(" … ");
    return this.tell.say(translate("%(stance)s, attached: %(heading)s: %(text)s", { stance: stanceWords(stance), heading: this.paragraphs.heading(shown[0].paragraph), text }));
  }

  /** Takes the sentence around a place in the article as if it had been selected: for those who work without a mouse. */
  choose(range) {
    const [part] = this.paragraphs?.covered(liveRange(range)) ?? [];
    if (!part) return;
    const text = this.paragraphs.text(part.paragraph);
    const around = sentencesIn(text).find(({ start, end }) => start <= part.start && part.start < end) ?? part;
    this.chosen = [{ paragraph: part.paragraph, ...around, text: text.slice(around.start, around.end) }];
    this.showStrip();
  }

  takeSelection() {
    const selection = document.getSelection();
    if (!this.article || this.isHeld || !selection.rangeCount) return;
    const isInside = this.article.contains(selection.anchorNode) && this.article.contains(selection.focusNode);
    if (!isInside && !this.chosen.length) return;
    if (selection.isCollapsed && !this.fromSelection) return;
    this.chosen = isInside && !selection.isCollapsed ? this.paragraphs.covered(selection.getRangeAt(0)) : [];
    this.fromSelection = this.chosen.length > 0;
    this.showStrip();
  }

  /** A finger on a button of the strip would take the selection away before the button is told. */
  holdSelection(event) {
    if (!event.target.closest("button")) return;
    this.isHeld = true;
    setTimeout(() => { this.isHeld = false; }, 700);
  }

  letGo() {
    if (this.fromSelection) document.getSelection().removeAllRanges();
    this.fromSelection = false;
    this.isHeld = false;
    this.chosen = [];
  }

  click(event) {
    const button = event.target.closest("button");
    if (button?.dataset.walk) return this.walk(Number(button.dataset.walk));
    if (button?.dataset.attach) return this.attach(button.dataset.attach);
    const [passage] = this.chosen.length ? this.chosen : this.passages.slice(this.at);
    if (!button && passage) return this.reveal(passage);
    return null;
  }

  // What the page shows

  showStrip() {
    const [byHand] = this.chosen;
    const passage = byHand ?? this.passages[this.at];
    const find = (name) => this.strip.querySelector(`[data-evidence-${name}]`);
    this.strip.toggleAttribute("data-by-hand", Boolean(byHand));
    find("place").textContent = byHand ? `${translate("Selected")}${where(this.paragraphs.heading(byHand.paragraph))}` : passage ? this.placeInWords(passage) : "";
    find("text").textContent = passage ? (byHand ? this.chosen : [passage]).map((each) => this.inWords(each)).join(" … ") : this.emptyWords();
    for (const button of this.strip.querySelectorAll("[data-attach]")) button.disabled = !passage;
    for (const button of this.strip.querySelectorAll("[data-walk]")) button.disabled = !this.passages.length;
    this.strip.dataset.evidence = this.item?.id ?? "";
  }

  emptyWords() {
    if (!this.isOn) return translate("Select text in the article to attach it as evidence.");
    return this.findingsNow ? translate("No passage of the article has words of this sentence. Select text to attach it.") : "";
  }

  placeInWords(passage) {
    return translate("%(n)s of %(all)s", { n: this.at + 1, all: this.passages.length }) + where(this.paragraphs.heading(passage.paragraph));
  }

  showList() {
    const shown = (passage) => ({ ...passage, heading: this.paragraphs.heading(passage.paragraph), words: this.inWords(this.inPage(passage)) || passage.text });
    const attached = (this.item.evidence ?? []).map(shown);
    this.list.show(attached, this.findingsNow?.missing ?? []);
  }

  paintAttached() {
    for (const stance of ["supports", "contradicts"]) {
      paint(stance, () => (this.item.evidence ?? []).filter((each) => each.stance === stance).map((each) => this.rangeOf(this.inPage(each))));
    }
  }

  showAttached(passage) {
    const at = this.passages.findIndex((each) => isSame(this.asStored(each), passage));
    if (at >= 0) this.findingsNow.at = at;
    this.lookUp(this.item);
    this.reveal(this.inPage(passage));
  }

  reveal(passage) {
    const range = this.rangeOf(passage);
    if (range) reveal(this.article, liveRange(range));
  }

  /** As the article shows it, which may be otherwise than it is stored. */
  inWords(passage) {
    const range = this.rangeOf(passage);
    return range ? liveRange(range).toString().replace(/\s+/g, " ") : "";
  }

  rangeOf({ paragraph, start, end }) {
    return this.paragraphs.range(paragraph, start, end);
  }

  /** With offsets in code points, as the server counts. */
  asStored({ paragraph, start, end, text }) {
    const whole = this.paragraphs.text(paragraph);
    return { paragraph, start: inCodePoints(whole, start), end: inCodePoints(whole, end), text };
  }

  inPage({ paragraph, start, end }) {
    const whole = this.paragraphs.text(paragraph);
    return { paragraph, start: fromCodePoints(whole, start), end: fromCodePoints(whole, end) };
  }
}

function where(heading) {
  return heading ? ` · ${heading}` : "";
}

/** Puts a dotted line under the numbers of a sentence that the article does not have. Only seen while it is lit. */
function pointOut(item, numbers) {
  for (const span of item.spans) {
    const walker = document.createTreeWalker(span, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!node.parentElement.closest("math, .unfound")) nodes.push(node);
    for (const node of nodes) for (const { start, end } of numbers.missing(node.data).reverse()) underline(node, start, end);
  }
}

function underline(node, start, end) {
  const number = node.splitText(start);
  number.splitText(end - start);
  const hint = document.createElement("span");
  hint.className = "unfound";
  hint.title = translate("Not found in the article");
  number.replaceWith(hint);
  hint.append(number);
}

/** Runs after the next picture, and only the last of what the same `owner` asked for. */
function later(work, owner = null) {
  const run = () => { if (!owner || owner.turn === turn) work(); };
  const turn = {};
  if (owner) owner.turn = turn;
  requestAnimationFrame(() => setTimeout(() => (globalThis.requestIdleCallback ? requestIdleCallback(run, { timeout: 120 }) : run())));
}
