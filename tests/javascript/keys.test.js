// Changing keys and turning them off; keys that are held down; other keyboards.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, SEVERE } from "./fake_server.js";
import { rate, until } from "./fake_tab.js";

async function changeKey(tab, label, key, more) {
  await until(() => tab.find(`button[aria-label="Change the key: ${label}"]`));
  await tab.click(`button[aria-label="Change the key: ${label}"]`);
  tab.pressOnce(key, more);
}

test("a key is changed and shown and kept", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("?");
  await tab.click("[data-keys-change]");
  await changeKey(tab, "✓ Accurate", "4");
  await tab.shows("[data-key-status]", /^4 is the key for: ✕ Inaccurate\. Press another\./);
  await tab.press("a");
  await tab.shows("[data-key-status]", "A is now the key for: ✓ Accurate.");
  await tab.press("Escape");
  for (let n = 0; n < 2; n++) {
    assert.equal(tab.text("label.option kbd"), "A");
    await tab.press("1 a");
    await tab.allSaved();
    await tab.reload();
  }
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
});

async function hold(tab, key, times = 6) {
  for (let n = 0; n < times; n++) await tab.press(key, { repeat: n > 0 });
}

test("a key that is held down answers and undoes once and walks on", async (t) => {
  const { server, tab } = await rate(t);
  await hold(tab, "1");
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
  await tab.press("1 1");
  await hold(tab, "u");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE, ACCURATE]);
  await hold(tab, "ArrowUp");
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
});

test("a key that is held down rates nothing in the next response", async (t) => {
  const { server, tab } = await rate(t);
  const first = tab.path;
  await tab.find("[data-auto-finish]").click();
  await tab.press("1 1 1");
  await hold(tab, "1", 20);
  await until(() => tab.path !== first && tab.progress === "0 of 4");
  await hold(tab, "1", 1);
  await tab.shows("[data-item-number]", "Sentence 2 of 4");
  await tab.allSaved();
  assert.deepEqual(server.stored(), Array(5).fill(ACCURATE));
  assert.equal(server.finished.length, 1);
});

test("a Cyrillic keyboard answers by the Latin letters on its keys", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("4");
  tab.pressOnce("ы", { code: "KeyS" });
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE]);
  await tab.press("?");
  await tab.click("[data-keys-change]");
  await changeKey(tab, "✓ Accurate", "г", { code: "KeyU" });
  await tab.press("Escape");
  tab.pressOnce("г", { code: "KeyU" }); // now its own, and no undo
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE, ACCURATE]);
});

test("keys that write something can be turned off", async (t) => {
  const { server, tab } = await rate(t);
  await tab.press("?");
  await tab.click("[data-keys-change]");
  await until(() => tab.find("[data-keys-off]"));
  await tab.click("[data-keys-off]");
  await tab.press("Escape 1");
  assert.equal(tab.itemNumber, "Sentence 1 of 4");
  await tab.press("u 4 ArrowDown");
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
  assert.ok(tab.document.body.hasAttribute("data-keys-off"), "hints of keys are hidden");
  tab.find("input[value=accurate]").focus();
  await tab.press("Space");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [ACCURATE]);
});
