// The article beside the response: passages suggested, walked, attached by key or by hand, saved and shown again;
// highlighted words and numbers; find.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCURATE, SEVERE } from "./fake_server.js";
import { rate, settle, until } from "./fake_tab.js";

const GREW = "On turbid days it grew to 17.3 km.";
const PLACE = "1 of 4 · Results";
const LOGGERS = "1 of 1 · Methods › Loggers";

/** Opens the workspace with an article of several sections; its passages are found. */
async function read(t, options) {
  const opened = await rate(t, { study: "evidence", ...options });
  await opened.tab.shows("[data-evidence-place]", PLACE);
  return opened;
}

const evidence = (server, index = 0) => server.answers.get(server.item(index).id).evidence;
const stances = (server) => evidence(server).map(({ stance }) => stance);
const texts = (server, index) => evidence(server, index).map(({ stance, text }) => [stance, text]);
const attached = (tab) => tab.all("[data-attached] li").map(({ dataset }) => dataset.stance);
const place = (tab) => tab.text("[data-evidence-place]");

/** The passage with these words as it is stored, in code points. */
function passage(tab, paragraph, text, stance, whole = tab.find(`[data-paragraph=${paragraph}]`).textContent) {
  const start = [...whole.slice(0, whole.indexOf(text))].length;
  return { paragraph, start, end: start + [...text].length, text, stance };
}

test("words and numbers are lit and a number that is missing is pointed out", async (t) => {
  const { server, tab } = await read(t);
  assert.equal(tab.text("[data-evidence-text]"), GREW);
  await until(() => tab.marked("numbers").length > 0);
  assert.deepEqual(tab.marked("shown"), [GREW]);
  assert.deepEqual(tab.marked("numbers"), ["17.3 km"]);
  assert.ok(tab.marked("words").includes("turbid") && !tab.marked("words").includes("was"));
  assert.equal(tab.all("[data-missing]:not([hidden]), .unfound").length, 0);
  await tab.press("j");
  await tab.shows("[data-evidence-place]", LOGGERS);
  await tab.shows("[data-missing]", "Numbers not found in the article: 45");
  assert.equal(tab.text(".s.now .unfound"), "45");
  assert.equal(tab.find(".s.now .unfound").title, "Not found in the article");
  await tab.press("j");
  await tab.shows("[data-evidence-text]", /^No passage of the article shares words with this sentence/);
  await tab.press("+ 5");
  await tab.allSaved();
  assert.deepEqual(evidence(server, 2), []);
});

test("without suggestions nothing is ranked or lit and the hand still attaches", async (t) => {
  const { server, browser } = await read(t);
  for (const each of server.assignments) each.work.suggestions = false;
  const tab = await browser.open();
  await tab.shows("[data-evidence-text]", "Select text in the article to attach it as evidence.");
  await tab.press("e + j j k k");
  await settle(100);
  for (const name of ["suggested", "shown", "words", "numbers"]) assert.deepEqual(tab.marked(name), []);
  assert.equal(tab.all(".unfound").length, 0);
  tab.select("calm");
  await tab.press("+ 1");
  await tab.allSaved();
  assert.deepEqual(evidence(server), [passage(tab, "p2", "calm", "supports")]);
  assert.equal(server.requestsTo("PUT", /items/)[0].data.suggestions, "off");
});

test("the best passage is attached by one key, or by Shift with the last letter of a flag", async (t) => {
  const { server, tab } = await read(t);
  await tab.press("- 4 s");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE]);
  assert.deepEqual(evidence(server), [passage(tab, "p3", GREW, "contradicts")]);
  assert.equal(server.storedRatings()[0].suggestions, "used");
  await tab.press("u u");
  await tab.allSaved();
  assert.deepEqual([server.stored(), attached(tab)], [[], []]);
  await tab.press("4 Shift+S");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [SEVERE]);
  assert.deepEqual(evidence(server), [passage(tab, "p3", GREW, "contradicts")]);
});

test("attaching is confirmed in the section of the article until the next passage", async (t) => {
  const { tab } = await read(t);
  await tab.click("[data-evidence] [data-attach=contradicts]");
  assert.equal(place(tab), "✓ Attached: Contradicts");
  await tab.click("[data-evidence] [data-attach=supports]");
  assert.equal(place(tab), "✓ Attached: Supports");
  await tab.click("[data-evidence] [data-walk='1']");
  assert.equal(place(tab), PLACE);
});

test("one key walks through the passages round and back", async (t) => {
  const { tab } = await read(t);
  await tab.press("e");
  assert.equal(place(tab), PLACE, "the first press goes to the one that is named");
  const labels = [];
  for (let n = 0; n < 4; n++) {
    await tab.press("e");
    labels.push(place(tab));
  }
  assert.deepEqual([labels.at(-1), new Set(labels).size], [PLACE, 4]);
  await tab.press("Shift+E");
  assert.equal(place(tab), labels.at(-2));
  assert.ok(tab.text("[data-announcements]").startsWith(`Passage ${labels.at(-2)}: `));
});

test("passages for and against stand by the questions and can be taken off", async (t) => {
  const { server, tab } = await read(t);
  await tab.press("+ e e -");
  assert.deepEqual(attached(tab), ["supports", "contradicts"]);
  assert.match(tab.text("[data-announcements]"), /^Contradicts, attached/);
  await tab.press("1");
  await tab.allSaved();
  assert.deepEqual(stances(server), ["supports", "contradicts"]);
  await tab.press("k");
  await tab.click("[data-attached] button[aria-label^='Remove']");
  await tab.allSaved();
  assert.deepEqual([attached(tab), stances(server)], [["contradicts"], ["contradicts"]]);
  await tab.press("u");
  await tab.allSaved();
  assert.deepEqual(stances(server), ["supports", "contradicts"]);
  await tab.press("e + u"); // the stance changed, and changed back
  await tab.allSaved();
  assert.deepEqual(stances(server), ["supports", "contradicts"]);
});

test("undo takes back passages and answers in the order they came", async (t) => {
  const { server, tab } = await read(t);
  const isBegun = () => tab.find("input[value=inaccurate]").checked;
  await tab.press("+ 4 - u");
  assert.deepEqual([attached(tab), isBegun()], [["supports"], true]); // what was begun stays begun
  await tab.press("u");
  assert.ok(!isBegun());
  await tab.press("u");
  assert.deepEqual(attached(tab), []);
  await tab.press("+ 1 u");
  await tab.allSaved();
  assert.deepEqual([server.stored(), attached(tab).length], [[], 1]);
  await tab.press("1");
  await tab.allSaved();
  assert.equal(evidence(server).length, 1);
});

test("selected text is attached as it stands, in code points", async (t) => {
  const { server, tab } = await read(t);
  tab.select(" further on turbid days, as");
  tab.document.dispatchEvent(new tab.window.Event("selectionchange"));
  await tab.shows("[data-evidence-place]", "Selected · Abstract");
  await tab.press("+");
  tab.select("harbour & its <silt> stay");
  await tab.press("- 1");
  await tab.allSaved();
  assert.deepEqual(evidence(server), [
    passage(tab, "p1", "further on turbid days, as", "supports"),
    passage(tab, "p6", "harbour & its <silt> stay", "contradicts"),
  ]);
  assert.match(tab.text("[data-paragraph=p1]"), /^Terns 🐦/, "one code point, two code units");
  assert.equal(server.storedRatings()[0].suggestions, "on", "shown, but not used");
});

test("a selection over a reference and paragraphs keeps their raw text", async (t) => {
  const { server, tab } = await read(t);
  const [from, to] = tab.all("[data-paragraph=p1], [data-paragraph=p2]");
  tab.document.getSelection().setBaseAndExtent(from.firstChild, 0, to.firstChild, 29);
  await tab.click("[data-evidence] [data-attach=supports]");
  await tab.press("1");
  await tab.allSaved();
  const [whole, forty] = texts(server).map(([, text]) => text);
  assert.match(whole, /^Terns 🐦 .* colony BIBREF3 over three summers\.$/);
  assert.equal(forty, "Forty adults carried loggers.");
  assert.equal(attached(tab).length, 0);
  await tab.press("k");
  assert.match(tab.text("[data-attached] li"), /\[4\]/);
});

test("what is attached is there again when one comes back", async (t) => {
  const { server, browser, tab } = await read(t);
  await tab.press("- 4 s");
  await tab.allSaved();
  await tab.shows("[data-evidence-place]", LOGGERS);
  await tab.press("+"); // without an answer yet
  await until(async () => (await browser.records("begun")).length === 1);
  await tab.reload();
  assert.equal(tab.itemNumber, "Sentence 2 of 4");
  assert.deepEqual(attached(tab), ["supports"]);
  await tab.press("1");
  await tab.allSaved();
  assert.deepEqual(texts(server, 1), [["supports", "Each weighed 1.9 g."]]);
  assert.deepEqual(
    [...browser.storage.keys()].filter((name) => !/:hints:/.test(name)),
    [],
  );
  await tab.press("k k");
  assert.deepEqual(attached(tab), ["contradicts"]);
  await tab.press("4 n");
  await tab.allSaved();
  assert.equal(evidence(server).length, 1, "another answer keeps them");
});

test("passages given offline arrive with their answer, also from a killed tab", async (t) => {
  const { server, browser, tab } = await read(t);
  browser.setOffline(true);
  await tab.press("+ 1");
  await tab.savedIs("Offline, 1 waiting");
  await until(async () => (await browser.unsent()).length === 1);
  browser.isOnline = true;
  const again = await tab.killAndReopen();
  await again.allSaved();
  assert.deepEqual(evidence(server), [passage(again, "p3", GREW, "supports")]);
  await again.press("k");
  assert.equal(attached(again).length, 1);
});

test("the same answer from two tabs keeps the passages of both", async (t) => {
  const { server, tab } = await read(t);
  const theirs = passage(tab, "p4", "Chicks grew all the same.", "supports");
  server.answerElsewhere(ACCURATE, { evidence: [theirs] });
  await tab.press("+ 1");
  await until(() => evidence(server).length === 2);
  await tab.allSaved();
  assert.ok(tab.isHidden("#conflict"));
  assert.deepEqual(evidence(server), [passage(tab, "p3", GREW, "supports"), theirs]);
});

test("the next response about the same article is looked up at once", async (t) => {
  const { server, tab } = await read(t);
  const first = tab.path;
  for (const each of server.assignments) each.work.article = server.assignments[0].work.article;
  await tab.press("1 1 1 1");
  await tab.allSaved();
  await tab.press("Enter");
  await until(() => tab.path !== first);
  await tab.shows("[data-evidence-place]", PLACE);
  await tab.press("+ 1");
  await tab.allSaved();
  const { id } = server.item(0, 1);
  assert.deepEqual(server.answers.get(id).evidence, [passage(tab, "p3", GREW, "supports")]);
});

async function openFind(tab, text) {
  await tab.press("/");
  await until(() => tab.document.activeElement === tab.find("[data-find] input"));
  await tab.type(text);
}

const count = (tab) => tab.text("[data-find-count]");

test("find counts, walks, marks and closes", async (t) => {
  const { server, tab } = await read(t);
  await openFind(tab, "RANGE");
  assert.equal(count(tab), "1 of 31");
  assert.equal(tab.marked("found").length, 30);
  await tab.type(" was");
  assert.equal(count(tab), "1 of 1");
  await tab.fill("[data-find] input", "turbid");
  await tab.press("Enter n");
  assert.equal(count(tab), "2 of 2");
  await tab.press("n Shift+N");
  assert.equal(count(tab), "2 of 2");
  assert.deepEqual(tab.marked("found-now"), ["turbid"]);
  assert.equal(place(tab), "Selected · Results"); // the sentence around it can be attached without a mouse
  await tab.press("+ Escape");
  assert.ok(tab.isHidden("[data-find]"));
  assert.deepEqual([...tab.marked("found"), ...tab.marked("found-now")], []);
  await openFind(tab, "");
  await tab.fill("[data-find] input", "colony [4] over three"); // through a mark
  assert.equal(count(tab), "1 of 1");
  await tab.fill("[data-find] input", "zebra");
  assert.equal(count(tab), "Not found");
  await tab.press("Escape 4 n"); // n is an answer again
  await tab.allSaved();
  assert.deepEqual(server.stored(), [{ accuracy: "inaccurate", severity: "not_severe" }]);
  assert.deepEqual(evidence(server), [passage(tab, "p3", GREW, "supports")]);
});

test("find closes at the next answer so that n means Not severe", async (t) => {
  const { server, tab } = await read(t);
  await openFind(tab, "km");
  await tab.press("Enter 4 n");
  await tab.allSaved();
  assert.deepEqual(server.stored(), [{ accuracy: "inaccurate", severity: "not_severe" }]);
});

test("Enter walks through what was found and finishes only when find is closed", async (t) => {
  const { server, tab } = await read(t);
  await tab.press("1 1 1 1");
  await openFind(tab, "turbid");
  await tab.press("Enter Enter");
  assert.equal(count(tab), "2 of 2");
  await tab.press("Shift+Enter");
  assert.equal(count(tab), "1 of 2");
  await tab.allSaved();
  assert.equal(server.finished.length, 0);
  await tab.press("Escape Enter");
  await until(() => server.finished.length === 1);
});

test("without custom highlights spans do the same", async (t) => {
  const { server, tab } = await read(t, { hasHighlights: false });
  await until(() => tab.find("[data-highlight=words]"));
  const shown = () => tab.all("[data-highlight=shown]").map(({ textContent }) => textContent);
  assert.equal(shown().join(""), GREW); // others may split it
  await tab.press("e e");
  await openFind(tab, "turbid");
  assert.equal(count(tab), "1 of 2");
  await tab.press("Enter n");
  assert.equal(count(tab), "2 of 2");
  assert.equal(tab.text("[data-highlight=found-now]"), "turbid");
  await tab.press("Escape");
  tab.select("Forty adults carried ");
  await tab.press("- 1");
  await tab.allSaved();
  assert.deepEqual(evidence(server), [passage(tab, "p2", "Forty adults carried", "contradicts")]);
  const paragraphs = tab.all("[data-paragraph]").map(({ textContent }) => textContent);
  assert.equal(paragraphs[1], "Forty adults carried loggers. Each weighed 1.9 g. The harbour was calm.");
  assert.match(paragraphs[2], /^The median range was 11\.8 km on clear days\. On turbid days it grew to 17\.3 km\.$/);
});
