// The keys of the page and their actions. A rater can change each of them, or turn off those that write a letter, digit
// or sign (screen readers and voice control use them otherwise). Changes are stored in this browser for this rater:
// keys belong to a keyboard, and the one at home differs from the one at work. The hints in the page show the keys in
// effect.

import { translate } from "../shared/translate.js";
import { focusQuestions } from "./sheet.js";

/** @type {Record<string, string[]>} The keys of the page's actions, unless changed. The hints show the first. */
const DEFAULT_KEYS = {
  "next": ["ArrowDown", "j"],
  "before": ["ArrowUp", "k"],
  "undo": ["u"],
  "finish": ["Enter"],
  "passage-next": ["e"],
  "passage-before": ["Shift+e"],
  "supports": ["+", "="],
  "contradicts": ["-"],
  "find": ["/"],
  "help": ["?"],
  "scroll-down": ["PageDown"],
  "scroll-up": ["PageUp"],
};
/** Actions that are repeated while the key is held. */
const REPEATED = new Set(["next", "before", "passage-next", "passage-before", "scroll-down", "scroll-up"]);
const QUIET_TIME = 1_000; // milliseconds without a key
/** @type {Record<string, string>} */
const KEY_LABELS = {
  "ArrowDown": "↓",
  "ArrowUp": "↑",
  "ArrowLeft": "←",
  "ArrowRight": "→",
  "Enter": "↵",
  "PageDown": translate("Page ↓"),
  "PageUp": translate("Page ↑"),
  " ": translate("Space"),
  "-": "−",
};

/** @typedef {{ key: string, code: string, shiftKey: boolean }} KeyPress */
/** @typedef {(name: string) => (key: string) => boolean | undefined} HasKey Whether an action has a key. */

export class Keyboard {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {QuestionForm} dependencies.questions
   * @param {() => FindBar | undefined} dependencies.findBar undefined until its module is loaded
   * @param {(question: string, value: string) => void} dependencies.choose
   * @param {() => void} dependencies.attach attaches the shown passage as contradicting
   * @param {Record<string, () => unknown>} dependencies.actions by name; one that returns false did nothing
   */
  constructor({ sheet, questions, findBar, choose, attach, actions }) {
    this.sheet = sheet;
    this.storageKey = `factuary:keys:${sheet.work.rater}`;
    this.questions = questions;
    this.getFindBar = findBar;
    this.choose = choose;
    this.attach = attach;
    this.actions = actions;
    this.settings = readSettings(this.storageKey);
    /** @type {KeyboardEventInit[]} Pressed before the next response, drawer or find bar was here. */
    this.queue = [];
    this.isReplaying = false;
    /** @type {Promise<KeySettings> | null} */
    this.dialog = null;
    document.addEventListener("keydown", (/** @type {ElementKeyEvent} */ event) => this.press(event));
    document.addEventListener("click", (/** @type {ElementMouseEvent} */ event) => this.click(event));
    this.showHints();
  }

  get areOff() {
    return this.settings.off;
  }

  /**
   * The keys of everything that has one: the page's actions, options ("accuracy:severe"), fields of written answers
   * ("comment:"), and buttons with data-hotkey.
   */
  keysByName() {
    const keys = new Map(Object.entries(DEFAULT_KEYS));
    for (const question of this.sheet.work.protocol.questions) {
      if (question.shortcut) keys.set(`${question.key}:`, [question.shortcut]);
      for (const option of question.options)
        if (option.shortcut) keys.set(`${question.key}:${option.key}`, [option.shortcut]);
    }
    const used = new Set([...keys.values()].flat());
    const buttons = [...document.querySelectorAll("[data-hotkey]")];
    const hotkeys = buttons.map(({ dataset }) => dataset.hotkey);
    for (const button of buttons) keys.set(actionName(button), freeKeys(used, button.dataset.hotkey, hotkeys));
    for (const [name, changed] of Object.entries(this.settings.keys)) if (keys.has(name)) keys.set(name, changed);
    return keys;
  }

  /**
   * Gives an action another key.
   * @param {string} name
   * @param {string} key
   */
  change(name, key) {
    this.settings.keys[name] = [key];
    this.store();
  }

  /** @param {boolean} off */
  turnOff(off) {
    this.settings.off = off;
    this.store();
  }

  resetAll() {
    this.settings.keys = {};
    this.store();
  }

  store() {
    try {
      localStorage.setItem(this.storageKey, JSON.stringify(this.settings));
    } catch {
      // A private window: it holds for this page.
    }
    this.showHints();
  }

  /** Shows the keys in the hints of the page. */
  showHints() {
    document.body.toggleAttribute("data-keys-off", this.settings.off);
    const keysByName = this.keysByName();
    for (const hint of document.querySelectorAll("kbd[data-key-of]")) {
      const keys = keysByName.get(hint.dataset.keyOf) ?? [];
      const label = keyLabel(keys[Number(hint.dataset.keyIndex ?? 0)] ?? "");
      if (hint.textContent !== label) hint.textContent = label;
      hint.hidden = !label;
      const control =
        hint.parentElement?.querySelector(":scope > input") ??
        hint.closest("button") ??
        hint.closest("legend")?.parentElement?.querySelector("textarea");
      if (control && !hint.dataset.keyIndex) control.setAttribute("aria-keyshortcuts", keys[0] ?? "");
    }
  }

  /** @param {ElementKeyEvent} event */
  press(event) {
    const { key, target, repeat } = event;
    const isDialogOpen = Boolean(document.querySelector("dialog[open]"));
    const isWaiting = this.isWaiting || this.isReplaying;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.isTrusted && isWaiting && !isDialogOpen) return this.enqueue(event);
    const findBar = this.getFindBar();
    if (key === "Escape" && findBar?.isOpen && !document.querySelector("dialog[open], details[open]"))
      return findBar.close();
    if (key === "Enter" && isCommand && target.matches?.("textarea")) return focusQuestions();
    const isUndo = key.toLowerCase() === "z" && isCommand && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || isDialogOpen || ((isCommand || event.altKey) && !isUndo)) return;
    if (!(target instanceof Element) || target.closest("textarea, input:not([type=radio]), select, [contenteditable]"))
      return;
    if (key === "Enter" && target.closest("a, button, summary")) return;
    const isUsed = () =>
      isUndo ? repeat || this.actions.undo() !== false : findBar?.walkMatches(event) || this.act(event);
    if (!this.sheet.current || !isUsed()) return;
    event.preventDefault();
    // Else Enter would press this button again, or fold this text, in place of finishing the response.
    if (target === document.activeElement && target.closest("button, summary")) focusQuestions();
  }

  /** Whether keys wait for the next response, the drawer or the find bar. */
  get isWaiting() {
    const { isChanging, isFinishing, openingButton } = this.sheet;
    return isChanging || isFinishing || openingButton !== null;
  }

  /** @param {KeyboardEvent} event */
  enqueue(event) {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    this.queue.push({ key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, bubbles: true, cancelable: true });
    if (isWriting(event)) event.preventDefault(); // otherwise a field that has the focus by now takes it too early
  }

  /** Presses the queued keys in order; one that changes the response or opens the drawer again lets the others wait. */
  async replay() {
    if (this.isReplaying) return;
    this.isReplaying = true;
    while (this.queue.length && !this.isWaiting) {
      pressAgain(/** @type {KeyboardEventInit} */ (this.queue.shift()));
      await new Promise((resolve) => setTimeout(resolve));
    }
    this.isReplaying = false;
  }

  /**
   * Drops the queue, because the awaited module or response did not load: text that was meant for it must not become
   * answers, nor what is typed before the rater has noticed. Resolves when no key is pressed any more, to whether any
   * were dropped.
   */
  async dropQueue() {
    let count;
    do {
      count = this.queue.length;
      await new Promise((resolve) => setTimeout(resolve, QUIET_TIME));
    } while (this.queue.length > count);
    this.queue = [];
    return count > 0;
  }

  /** @param {ElementKeyEvent} event */
  act(event) {
    const { target, repeat } = event;
    const radio = target.closest("input[type=radio]");
    if (radio && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.questions.moveFocus(radio, event.key === forwardArrow() ? 1 : -1);
      return true;
    }
    const keysByName = this.keysByName();
    const pressed = withLatinKey(event, keyNames(event), [...keysByName.values()].flat());
    if (this.settings.off && (pressed[0].length === 1 || pressed[0].startsWith("Shift+"))) return false;
    /** @type {HasKey} */
    const hasKey = (name) => (key) => keysByName.get(name)?.includes(key);
    const isRepeated = REPEATED.has(this.findAction(pressed, hasKey) ?? "");
    if (repeat && !isRepeated) return /^(Enter|(Shift\+)?\S)$/u.test(pressed[0]); // the key is held
    return this.answer(pressed, hasKey) || this.focusField(pressed, hasKey) || this.runAction(pressed, hasKey, target);
  }

  /**
   * Chooses an option. With Shift, the key of a later question also attaches the shown passage as contradicting.
   * @param {string[]} pressed
   * @param {HasKey} hasKey
   */
  answer(pressed, hasKey) {
    const plain = pressed.map(withoutShift);
    const choice = this.questions.findOption(
      (question, option) => plain.some(hasKey(`${question}:${option}`)),
      this.sheet.current.draft,
    );
    if (!choice) return false;
    const isShifted = pressed[0] !== plain[0];
    const isFirst = choice.question === this.sheet.work.protocol.questions[0].key;
    if (isShifted && (isFirst || [...this.keysByName().values()].some((keys) => keys.includes(pressed[0]))))
      return false;
    if (isShifted) this.attach();
    this.choose(choice.question, choice.value);
    return true;
  }

  /**
   * Moves the focus to the field of a written answer.
   * @param {string[]} pressed
   * @param {HasKey} hasKey
   */
  focusField(pressed, hasKey) {
    const field = this.questions.findField(
      (question) => pressed.some(hasKey(`${question}:`)),
      this.sheet.current.draft,
    );
    field?.focus();
    return Boolean(field);
  }

  /**
   * The action of a key, other than an answer.
   * @param {string[]} pressed
   * @param {HasKey} hasKey
   */
  findAction(pressed, hasKey) {
    /** @param {string[]} keys */
    const find = (keys) => [...this.keysByName().keys()].find((name) => !name.includes(":") && keys.some(hasKey(name)));
    return find(pressed) ?? find(pressed.map(withoutShift));
  }

  /**
   * @param {string[]} pressed
   * @param {HasKey} hasKey
   * @param {Element} target
   */
  runAction(pressed, hasKey, target) {
    const name = this.findAction(pressed, hasKey);
    const isScrolling =
      target.closest("[data-article], [data-sources], [data-part=answer]") && /^(Page|Arrow)/.test(pressed[0]);
    if (!name || isScrolling) return false;
    if (this.actions[name]) return this.actions[name]() !== false;
    const button = [...document.querySelectorAll("[data-hotkey]")].find((each) => actionName(each) === name);
    button?.click();
    return Boolean(button);
  }

  /**
   * The help is opened, or its button that offers to change keys is pressed.
   * @param {ElementMouseEvent} event
   */
  async click(event) {
    const button = event.target.closest("[data-keys-change], [data-opens=help]");
    if (!button) return;
    const dialog = await this.fillHelp();
    if ("keysChange" in button.dataset) dialog.offerChanges();
  }

  fillHelp() {
    this.dialog ??= import("./key_settings.js").then(
      ({ KeySettings }) => new KeySettings(this, { keyNames, keyLabel, actionName }),
    );
    this.dialog.catch(() => {
      this.dialog = null;
    }); // no network: the next call tries again
    return this.dialog;
  }
}

/**
 * The name of the action of a button with data-hotkey.
 * @param {HTMLElement} button
 */
function actionName({ dataset }) {
  return dataset.action ?? dataset.module ?? "";
}

/** The arrow key in the reading direction of the page. */
function forwardArrow() {
  return document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
}

/** @param {string} key */
export const withoutShift = (key) => key.replace("Shift+", "");

/**
 * The keys of a button. Where the protocol uses its key for an answer, the key with Shift, unless another button has
 * that.
 * @param {Set<string>} used
 * @param {string} key
 * @param {string[]} hotkeys of all buttons
 */
export function freeKeys(used, key, hotkeys) {
  if (!used.has(key)) return [key];
  const shifted = `Shift+${key}`;
  return used.has(shifted) || hotkeys.includes(shifted) ? [] : [shifted];
}

/**
 * The names of a press: "j", "Shift+e", "?", "ArrowDown", and the digit where French keyboards have it on Shift.
 * @param {KeyPress} press
 */
export function keyNames({ key, code, shiftKey }) {
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const name = isLetter ? `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  return digit && digit !== name ? [name, digit] : [name];
}

/**
 * `names` and, on keyboards with other letters (Cyrillic, Greek, Hebrew), the Latin letter of the key; not if the other
 * letter is one of `used`.
 * @param {KeyPress} press
 * @param {string[]} names
 * @param {string[]} used
 */
export function withLatinKey({ key, code, shiftKey }, names, used = []) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1].toLowerCase();
  const isOther = letter && /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return isOther && !used.includes(names[0]) ? [...names, `${shiftKey ? "Shift+" : ""}${letter}`] : names;
}

/**
 * Whether the press writes into a field or deletes there.
 * @param {KeyboardEventInit} press
 */
export function isWriting({ key = "", ctrlKey, metaKey }) {
  return !ctrlKey && !metaKey && ([...key].length === 1 || key === "Enter" || key === "Backspace");
}

/**
 * In the drawer or the find bar, if it has the focus: text that was typed for its field is written there.
 * @param {KeyboardEventInit} press
 */
function pressAgain(press) {
  const focused = document.activeElement;
  const target = focused?.closest("[data-drawer], [data-find]")
    ? focused
    : document.querySelector("[data-answer-form]");
  const isUnused = target.dispatchEvent(new KeyboardEvent("keydown", press));
  const isField =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "search");
  if (isUnused && isField && isWriting(press)) writeKey(target, press.key ?? "");
}

/**
 * Handles a key in a field as the browser does.
 * @param {HTMLTextAreaElement | HTMLInputElement} field
 * @param {string} key
 */
function writeKey(field, key) {
  const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
  const isBackspace = key === "Backspace";
  field.setRangeText(
    isBackspace ? "" : key === "Enter" ? "\n" : key,
    isBackspace && start === end ? Math.max(0, start - 1) : start,
    end,
    "end",
  );
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/**
 * A key as the hints show it.
 * @param {string} key
 */
export function keyLabel(key) {
  const plain = withoutShift(key);
  const label = KEY_LABELS[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain);
  return key === plain ? label : `⇧${label}`;
}

/** @typedef {{ off: boolean, keys: Record<string, string[]> }} KeySettingsRecord */

/**
 * @param {string} storageKey
 * @returns {KeySettingsRecord}
 */
function readSettings(storageKey) {
  const defaults = { off: false, keys: {} };
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(storageKey) ?? "{}") };
  } catch {
    return defaults;
  }
}
