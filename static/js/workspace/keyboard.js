// Keys: which does what, and what a press does. A person can change each of them, or turn those off that write a letter, digit
// or sign (screen readers and voice control use them otherwise). What was changed is kept in this browser for this person:
// keys belong to a keyboard, and the one at home is not the one at work. The page's hints say what holds.

import { focusDock, hear, sheet } from "./sheet.js";
import { translate } from "../shared/translate.js";

/** What the page's own actions are called by, unless it was changed. The first key is the one that the hints show. */
const GIVEN = {
  next: ["ArrowDown", "j"], before: ["ArrowUp", "k"], undo: ["u"], finish: ["Enter"],
  "passage-next": ["e"], "passage-before": ["Shift+e"], supports: ["+", "="], contradicts: ["-"],
  find: ["/"], help: ["?"], "scroll-down": ["PageDown"], "scroll-up": ["PageUp"],
};
const WALKING = new Set(["next", "before", "passage-next", "passage-before", "scroll-down", "scroll-up"]); // as long as the key is held
const REST = 1_000; // milliseconds without a key
const SHOWN = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Enter: "↵", PageDown: translate("Page ↓"), PageUp: translate("Page ↑"), " ": translate("Space"), "-": "−" };

export class Keys {
  /** `page` has `questions`, `find`, `choose(question, value)`, `attach()` and `actions` by name. */
  constructor(rater, page) {
    this.place = `factuary:keys:${rater}`;
    this.page = page;
    this.changed = read(this.place);
    Object.assign(this, { namesOf, shown });
    this.early = []; // pressed before the next response was there, or the drawer that was asked for
    hear("turned", () => this.replay());
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("click", (event) => this.click(event));
    this.show();
  }

  get areOff() {
    return this.changed.off;
  }

  /** What can be called by a key: the page's own actions, the options of the questions ("accuracy:severe"), the fields of
      those that are answered in words ("comment:"), and buttons with data-hotkey. */
  all() {
    const found = new Map(Object.entries(GIVEN));
    for (const question of sheet.work.protocol.questions) {
      if (question.shortcut) found.set(`${question.key}:`, [question.shortcut]);
      for (const option of question.options) if (option.shortcut) found.set(`${question.key}:${option.key}`, [option.shortcut]);
    }
    const taken = new Set([...found.values()].flat());
    const hotkeys = [...document.querySelectorAll("[data-hotkey]")];
    for (const { dataset } of hotkeys) found.set(dataset.action ?? dataset.module, freeOf(taken, dataset.hotkey, hotkeys));
    for (const [name, keys] of Object.entries(this.changed.keys)) if (found.has(name)) found.set(name, keys);
    return found;
  }

  /** Gives `name` another key, or null: the one it had at first. */
  change(name, key) {
    if (key === null) delete this.changed.keys[name];
    else this.changed.keys[name] = [key];
    this.keep();
  }

  turn(isOff) {
    this.changed.off = isOff;
    this.keep();
  }

  forgetAll() {
    this.changed.keys = {};
    this.keep();
  }

  keep() {
    try {
      localStorage.setItem(this.place, JSON.stringify(this.changed));
    } catch {
      // A private window: it holds for this page.
    }
    this.show();
  }

  /** Puts the keys into the hints of the page. */
  show() {
    document.body.toggleAttribute("data-keys-off", this.changed.off);
    const known = this.all();
    for (const hint of document.querySelectorAll("kbd[data-key-of]")) {
      const keys = known.get(hint.dataset.keyOf) ?? [];
      const words = shown(keys[Number(hint.dataset.nth ?? 0)] ?? "");
      if (hint.textContent !== words) hint.textContent = words;
      hint.hidden = !words;
      const control = hint.parentElement.querySelector(":scope > input") ?? hint.closest("button") ?? hint.closest("legend")?.parentElement.querySelector("textarea");
      if (control && !hint.dataset.nth) control.setAttribute("aria-keyshortcuts", keys[0] ?? "");
    }
  }

  press(event) {
    const { find } = this.page;
    if (event.isTrusted && (sheet.isTurning || sheet.isOpening || this.isReplaying) && !document.querySelector("dialog[open]")) return this.keepForLater(event);
    if (event.key === "Escape" && find.isOpen && !document.querySelector("dialog[open], details[open]")) return find.close();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("textarea")) return focusDock();
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || ((event.ctrlKey || event.metaKey || event.altKey) && !isUndo) || document.querySelector("dialog[open]")) return;
    const { target } = event;
    if (!(target instanceof Element) || target.closest("textarea, input:not([type=radio]), select, [contenteditable]")) return;
    if (event.key === "Enter" && target.closest("a, button, summary")) return;
    if (sheet.now && (isUndo ? event.repeat || this.page.actions.undo() !== false : this.found(event) || this.act(event, target))) event.preventDefault();
  }

  keepForLater(event) {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    this.early.push({ key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, bubbles: true, cancelable: true });
    if (isWriting(event)) event.preventDefault(); // else a field that has the focus by now takes it as well, and out of turn
  }

  /** In the order pressed; one that turns to yet another response, or opens the drawer, lets the others wait again. */
  async replay() {
    if (this.isReplaying) return;
    this.isReplaying = true;
    while (this.early.length && !sheet.isTurning && !sheet.isOpening) {
      this.pressAgain(this.early.shift());
      await new Promise((resolve) => setTimeout(resolve));
    }
    this.isReplaying = false;
  }

  /** In the drawer, if it has the focus: what was typed for its field is written there. */
  pressAgain(press) {
    const focused = document.activeElement;
    const target = focused.closest("[data-drawer]") ? focused : document.querySelector("[data-dock]");
    const isFree = target.dispatchEvent(new KeyboardEvent("keydown", press));
    if (isFree && isWriting(press) && target.matches("textarea")) write(target, press.key);
  }

  /** What was waited for does not come: words that were meant for it must not become answers, nor those that the hands go
      on to type before they have seen it. Resolves when they rest, to whether any were dropped. */
  async dropEarly() {
    let before = 0;
    let dropped = this.early.length;
    do {
      before = dropped;
      await new Promise((resolve) => setTimeout(resolve, REST));
      dropped = this.early.length;
    } while (dropped > before);
    this.early = [];
    return dropped > 0;
  }

  /** While the find bar is open, n and N walk through what was found, and so does Enter: it finishes nothing then. */
  found(event) {
    const by = { n: 1, "Shift+n": -1, Enter: event.shiftKey ? -1 : 1 };
    const step = this.page.find.isOpen && withLatin(event, namesOf(event)).map((name) => by[name]).find(Boolean);
    if (step) this.page.find.step(step);
    return Boolean(step);
  }

  act(event, target) {
    const radio = target.closest("input[type=radio]");
    if (radio && (event.key === "ArrowLeft" || event.key === "ArrowRight")) return this.page.questions.moveFocus(radio, event.key === forward() ? 1 : -1) || true;
    const known = this.all();
    const pressed = withLatin(event, namesOf(event), [...known.values()].flat());
    if (this.changed.off && pressed[0].length === 1) return false;
    if (this.changed.off && pressed[0].startsWith("Shift+")) return false;
    const is = (name) => (key) => known.get(name)?.includes(key);
    if (event.repeat && !WALKING.has(this.nameOf(pressed, is))) return /^(Enter|(Shift\+)?\S)$/u.test(pressed[0]); // a hand rests on it
    return this.answer(pressed, is) || this.write(pressed, is) || this.doIt(pressed, is, target);
  }

  /** With Shift, the letter that answers a later question also attaches the passage that is shown, as contradicting. */
  answer(pressed, is) {
    const plain = pressed.map((key) => key.replace("Shift+", ""));
    const choice = this.page.questions.choiceFor((question, option) => plain.some(is(`${question}:${option}`)), sheet.now.draft);
    const isShifted = pressed[0] !== plain[0];
    const isFirst = choice?.question === sheet.work.protocol.questions[0].key;
    if (!choice || (isShifted && (isFirst || [...this.all().values()].some((keys) => keys.includes(pressed[0]))))) return false;
    if (isShifted) this.page.attach();
    this.page.choose(choice.question, choice.value);
    return true;
  }

  /** Goes to the field of a question that is answered in words. */
  write(pressed, is) {
    const field = this.page.questions.fieldFor((question) => pressed.some(is(`${question}:`)), sheet.now.draft);
    field?.focus();
    return Boolean(field);
  }

  /** What the press does beside answering. */
  nameOf(pressed, is) {
    const find = (keys) => [...this.all().keys()].find((name) => !name.includes(":") && keys.some(is(name)));
    return find(pressed) ?? find(pressed.map((key) => key.replace("Shift+", "")));
  }

  doIt(pressed, is, target) {
    const name = this.nameOf(pressed, is);
    const isInScroller = target.closest("[data-article], [data-sources], [data-part=answer]") && /^(Page|Arrow)/.test(pressed[0]);
    if (!name || isInScroller) return false;
    if (this.page.actions[name]) return this.page.actions[name]() !== false;
    const button = [...document.querySelectorAll("[data-hotkey]")].find((each) => (each.dataset.action ?? each.dataset.module) === name);
    button?.click();
    return Boolean(button);
  }

  /** The help is opened, or its button that offers to change keys is pressed. */
  async click(event) {
    const asks = event.target.closest("[data-keys-change], [data-opens=help]");
    if (!asks) return;
    await this.fillHelp();
    if ("keysChange" in asks.dataset) this.map.offer();
  }

  async fillHelp() {
    const { KeyMap } = await import("./key_settings.js");
    this.map ??= new KeyMap(this);
  }
}

/** The arrow that points the way the page reads. */
function forward() {
  return document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
}

/** The key of a button; where the protocol has it for an answer, the same with Shift, unless that is another button's. */
function freeOf(taken, key, hotkeys) {
  if (!taken.has(key)) return [key];
  const shifted = `Shift+${key}`;
  return taken.has(shifted) || hotkeys.some(({ dataset }) => dataset.hotkey === shifted) ? [] : [shifted];
}

/** What a press may be called: "j", "Shift+e", "?", "ArrowDown", and the digit where French keyboards have it on shift. */
function namesOf({ key, code, shiftKey }) {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const name = isLetter ? `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  return digit && digit !== name ? [name, digit] : [name];
}

/** `names` and, where the keyboard writes other letters (Cyrillic, Greek, Hebrew), the Latin one that stands on the key as well;
    not if the letter is one of `taken`. */
function withLatin({ key, code, shiftKey }, names, taken = []) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1].toLowerCase();
  const isOther = letter && /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return isOther && !taken.includes(names[0]) ? [...names, `${shiftKey ? "Shift+" : ""}${letter}`] : names;
}

/** Whether the press would write in a field, or take something away there. */
function isWriting({ key, ctrlKey, metaKey }) {
  return !ctrlKey && !metaKey && ([...key].length === 1 || key === "Enter" || key === "Backspace");
}

/** What the browser does with the key in a field. */
function write(field, key) {
  const { selectionStart: from, selectionEnd: to } = field;
  const isBack = key === "Backspace";
  field.setRangeText(isBack ? "" : key === "Enter" ? "\n" : key, isBack && from === to ? Math.max(0, from - 1) : from, to, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

function shown(key) {
  const plain = key.replace("Shift+", "");
  const words = SHOWN[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain);
  return key === plain ? words : `⇧${words}`;
}

function read(place) {
  const none = { off: false, keys: {} };
  try {
    return { ...none, ...JSON.parse(localStorage.getItem(place)) };
  } catch {
    return none;
  }
}
