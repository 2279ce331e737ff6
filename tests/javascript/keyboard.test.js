import assert from "node:assert/strict";
import { test } from "node:test";

import {
  freeKeys,
  isWriting,
  keyLabel,
  keyNames,
  withLatinKey,
  withoutShift,
} from "../../static/js/workspace/keyboard.js";

const press = (key, code, shiftKey = false) => ({ key, code, shiftKey });

test("a press is named by its letter, sign or digit", () => {
  assert.deepEqual(keyNames(press("j", "KeyJ")), ["j"]);
  assert.deepEqual(keyNames(press("E", "KeyE", true)), ["Shift+e"]);
  assert.deepEqual(keyNames(press("?", "Slash", true)), ["?"]);
  assert.deepEqual(keyNames(press("&", "Digit1")), ["&", "1"], "French keyboards have digits on Shift");
  assert.deepEqual(keyNames(press("4", "Numpad4")), ["4"]);
});

test("keyboards with other letters use the Latin letter of the key, unless the other letter has an action", () => {
  assert.deepEqual(withLatinKey(press("о", "KeyJ"), ["о"]), ["о", "j"]);
  assert.deepEqual(withLatinKey(press("Ε", "KeyE", true), ["Shift+ε"]), ["Shift+ε", "Shift+e"]);
  assert.deepEqual(withLatinKey(press("о", "KeyJ"), ["о"], ["о"]), ["о"]);
  assert.deepEqual(withLatinKey(press("z", "KeyY"), ["z"]), ["z"], "a German keyboard has Latin letters");
});

test("a button whose key is an answer's gets it with Shift, unless that is used", () => {
  assert.deepEqual(freeKeys(new Set(["s"]), "g", []), ["g"]);
  assert.deepEqual(freeKeys(new Set(["g"]), "g", []), ["Shift+g"]);
  assert.deepEqual(freeKeys(new Set(["g", "Shift+g"]), "g", []), []);
  assert.deepEqual(freeKeys(new Set(["g"]), "g", ["Shift+g"]), []);
});

test("keys are shown as on the keyboard", () => {
  assert.deepEqual(["ArrowDown", "Shift+e", "-", "j", "Enter", ""].map(keyLabel), ["↓", "⇧E", "−", "J", "↵", ""]);
  assert.equal(withoutShift("Shift+e"), "e");
});

test("letters, Enter and Backspace write; commands and arrows do not", () => {
  const keys = [
    { key: "a" },
    { key: "😀" },
    { key: "Enter" },
    { key: "Backspace" },
    { key: "a", ctrlKey: true },
    { key: "ArrowUp" },
  ];
  assert.deepEqual(keys.map(isWriting), [true, true, true, true, false, false]);
});
