// Comments and questions to the leads are never lost.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, CANNOT_ASSESS, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const COMMENT = "[data-comment]";
const QUESTION = "[data-ask=question] [name=text]";
const comments = (server) => server.storedRatings().map(({ comment }) => comment);
const questions = (server) => server.questions.map(({ text }) => text);

/** Opens the drawer with the comment of the current sentence. */
async function openComment(tab) {
  if (tab.document.activeElement !== tab.find(COMMENT)) await tab.press("c");
  await until(() => tab.document.activeElement && tab.document.activeElement === tab.find(COMMENT));
}

/** Writes a comment on the current sentence and leaves the field, so that keys answer questions again. */
async function writeComment(tab, text) {
  await openComment(tab);
  await tab.fill(COMMENT, text);
  await tab.press("Escape");
}

async function commentIs(tab, text) {
  await openComment(tab);
  assert.equal(tab.find(COMMENT).value, text);
}

test("a comment whose answer is undone waits for another answer", async (t) => {
  const { server, browser, tab: first } = await rate(t);
  await writeComment(first, "Table 2 says otherwise.");
  await first.press("1");
  await first.allSaved();
  await first.press("u");
  await first.allSaved();
  assert.deepEqual(server.stored(), []);
  await browser.hasTyped("Table 2 says otherwise.");
  const tab = await first.killAndReopen(); // nothing is stored now, and the words are still there
  await commentIs(tab, "Table 2 says otherwise.");
  await tab.press("Escape 5");
  await tab.allSaved();
  assert.deepEqual([server.stored(), comments(server)], [[CANNOT_ASSESS], ["Table 2 says otherwise."]]);
});

test("an answer changed before it was sent keeps its comment", async (t) => {
  const { server, browser, tab } = await rate(t);
  await browser.advance(4_000);
  browser.setOffline(true);
  await tab.press("1");
  await tab.savedIs("Offline, 1 waiting");
  await writeComment(tab, "Only the abstract says so.");
  await tab.press("1 ArrowUp 5");
  await tab.savedIs("Offline, 2 waiting");
  browser.setOffline(false);
  await tab.allSaved();
  assert.deepEqual(comments(server).slice(1), ["Only the abstract says so."]);
  assert.deepEqual(server.stored(), [ACCURATE, CANNOT_ASSESS]);
});

for (const theirs of ["", "Figure 3 too."])
  test(`the same answer on two devices keeps both comments: ${theirs || "only the own"}`, async (t) => {
    const { server, tab } = await rate(t);
    server.answerElsewhere(ACCURATE, { comment: theirs });
    await writeComment(tab, "Only the abstract says so.");
    await tab.press("1");
    const whole = `${theirs}\nOnly the abstract says so.`.trim();
    await until(() => comments(server).join() === whole);
    await tab.allSaved();
    assert.equal(tab.all("dialog[open]").length, 0);
    await tab.reload();
    await tab.press("ArrowUp");
    await commentIs(tab, whole);
  });

for (const [keep, expected] of [
  ["mine", "Only here."],
  ["theirs", "Only there."],
])
  test(`two answers are shown with their comments: keep ${keep}`, async (t) => {
    const { server, tab } = await rate(t);
    server.answerElsewhere(ACCURATE, { comment: "Only there." });
    await writeComment(tab, "Only here.");
    await tab.press("5");
    await until(() => !tab.isHidden("#conflict"));
    assert.match(tab.text("[data-conflict-mine]"), /Only here\./);
    assert.match(tab.text("[data-conflict-theirs]"), /Only there\./);
    await tab.click(`[data-keep=${keep}]`);
    await tab.allSaved();
    await until(() => comments(server).join() === expected);
    await tab.reload();
    await tab.press("ArrowUp");
    await commentIs(tab, expected);
  });

test("a comment survives a killed tab before and after the answer, although the field was never left", async (t) => {
  const { server, browser, tab: first } = await rate(t);
  await openComment(first);
  await first.type("Odd.");
  await browser.hasTyped("Odd.");
  const second = await first.killAndReopen();
  await commentIs(second, "Odd.");
  await second.press("Escape 1");
  await second.allSaved();
  await second.press("ArrowUp");
  await openComment(second);
  await second.fill(COMMENT, "Odd. Very odd.");
  await browser.hasTyped("Odd. Very odd.");
  const tab = await second.killAndReopen();
  await until(() => comments(server).join() === "Odd. Very odd.");
  await tab.allSaved();
  await tab.press("ArrowUp");
  await commentIs(tab, "Odd. Very odd.");
  assert.equal(tab.text("[data-comment-state]"), "Saved with your answer.");
});

test("a comment is taken away", async (t) => {
  const { server, tab } = await rate(t);
  await writeComment(tab, "Wrong sentence.");
  await tab.press("1");
  await tab.allSaved();
  await tab.press("ArrowUp");
  await writeComment(tab, "");
  await until(() => comments(server).join() === "");
  await tab.allSaved();
  await tab.reload();
  await tab.press("ArrowUp");
  await commentIs(tab, "");
});

test("an answer is sent again without its refused passages, and with its comment", async (t) => {
  const { server, tab } = await rate(t);
  const body = JSON.stringify({ detail: "No.", errors: { evidence: ["Not in the article."] } });
  server.addFault(/\/items\//, ({ data }) =>
    data?.evidence?.length ? { status: 400, body, type: "application/json" } : undefined,
  );
  await writeComment(tab, "The abstract.");
  tab.select("Terns");
  await tab.press("+");
  await until(() => tab.all("[data-attached] li").length === 1);
  await tab.press("1");
  await tab.shows("[data-notice-text]", /the answer is saved without them: Not in the article\./);
  await tab.allSaved();
  assert.equal(server.requestsTo("PUT", /items/).length, 2);
  assert.deepEqual(
    server.storedRatings().map(({ comment, evidence }) => [comment, evidence]),
    [["The abstract.", []]],
  );
});

test("a question and a report are typed, asked offline, and arrive from a killed tab", async (t) => {
  const { server, browser, tab: first } = await rate(t);
  await openComment(first);
  first.find(QUESTION).focus();
  await first.type("Is a heron a bird?");
  await browser.hasTyped("Is a heron a bird?");
  const second = await first.killAndReopen();
  await openComment(second);
  assert.equal(second.find(QUESTION).value, "Is a heron a bird?");
  browser.setOffline(true);
  second.find(QUESTION).focus();
  await second.press("Control+Enter");
  await second.savedIs("Offline, 1 waiting");
  assert.match(second.text("[data-thread]"), /Is a heron a bird\?.*Waiting to be sent/);
  assert.equal(second.find(QUESTION).value, "");
  await second.fill("[data-ask=split] [name=text]", "Two sentences in one.");
  await second.click("[data-ask=split] [type=submit]");
  await second.savedIs("Offline, 2 waiting");
  await until(async () => (await browser.unsent()).length === 2);
  browser.isOnline = true;
  const tab = await second.killAndReopen();
  await tab.allSaved();
  await openComment(tab);
  await until(() => tab.all("[data-thread] .rater-question").length === 2);
  assert.doesNotMatch(tab.text("[data-thread]"), /Waiting to be sent/);
  assert.deepEqual(questions(server), ["Is a heron a bird?", "Two sentences in one."]);
  assert.deepEqual(await browser.unsent(), []);
});

test("a question whose receipt was lost is stored once, also when it was answered meanwhile", async (t) => {
  const { server, browser, tab } = await rate(t);
  const removeFault = server.addFault(/items.*questions/, (_, answer) => {
    removeFault();
    answer();
    Object.assign(server.questions[0], { answer: "It is.", answered_at: new Date().toISOString(), new: true });
    throw new TypeError("the connection broke");
  });
  await openComment(tab);
  await tab.fill(QUESTION, "Is a heron a bird?");
  await tab.press("Control+Enter");
  await tab.savedIs("Offline, 1 waiting");
  await browser.advance(2_000);
  await tab.allSaved();
  await until(() => tab.find("[data-thread] .reply"));
  assert.equal(tab.text("[data-thread] .reply"), "It is.");
  assert.deepEqual(questions(server), ["Is a heron a bird?"]);
});

test("a question that is refused is in its field again", async (t) => {
  const { server, browser, tab: first } = await rate(t);
  const reason = "You have already asked many questions about this.";
  const body = JSON.stringify({ detail: "This cannot be taken.", errors: { text: [reason] } });
  server.addFault(/items.*questions/, () => ({ status: 400, body, type: "application/json" }));
  await openComment(first);
  await first.fill(QUESTION, "Is a heron a bird?");
  await first.press("Control+Enter");
  await first.shows("[data-notice-text]", new RegExp(reason));
  await first.allSaved();
  assert.equal(first.find(QUESTION).value, "Is a heron a bird?");
  await browser.hasTyped("Is a heron a bird?");
  const tab = await first.killAndReopen();
  await openComment(tab);
  assert.equal(tab.find(QUESTION).value, "Is a heron a bird?");
  await tab.press("Escape 4 s");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE]);
  await settle();
});
