// tests/protocols/test_conditions.py compares these functions with Python's over random protocols; these are readable
// examples.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addresses,
  holds,
  isAddress,
  isComplete,
  problems,
  protocolForItem,
  prune,
  visibleQuestions,
  withAnswer,
} from "../../static/js/shared/protocol.js";

const question = (key, more = {}) => ({
  key,
  kind: "choice",
  required: true,
  once: false,
  kinds: [],
  show_when: {},
  require_when: {},
  max_length: null,
  options: [],
  ...more,
});
const options = (...keys) => keys.map((key) => ({ key }));
const FLAGGED = { accuracy: ["inaccurate", "unsupported", "disputed"] };
const PROTOCOL = {
  unit: "sentence",
  questions: [
    question("accuracy", { options: options("accurate", "inaccurate", "unsupported", "disputed") }),
    question("severity", { options: options("severe", "not_severe"), show_when: FLAGGED, require_when: FLAGGED }),
    question("sources", { kind: "urls", required: false, max_length: 60 }),
    question("overall", { kind: "text", once: true, required: false }),
    question("claim", { kinds: ["claim"], required: false, kind: "text" }),
  ],
};

test("a condition holds when each named question has one of its values", () => {
  assert.ok(holds(FLAGGED, { accuracy: "disputed" }));
  assert.ok(!holds(FLAGGED, { accuracy: "accurate" }));
  assert.ok(!holds(FLAGGED, {}));
  assert.ok(holds({}, {}));
});

test("the severity is asked about flagged sentences only, and required there", () => {
  const keys = (answers) => visibleQuestions(PROTOCOL, answers).map(({ key }) => key);
  assert.ok(!keys({ accuracy: "accurate" }).includes("severity"));
  assert.ok(keys({ accuracy: "inaccurate" }).includes("severity"));
  assert.ok(isComplete(PROTOCOL, { accuracy: "accurate" }));
  assert.deepEqual(problems(PROTOCOL, { accuracy: "inaccurate" }), { severity: ["This question needs an answer."] });
});

test("another answer removes what depended on the old one, the same answer does not", () => {
  const answers = { accuracy: "inaccurate", severity: "severe" };
  assert.deepEqual(withAnswer(PROTOCOL, answers, "accuracy", "accurate"), { accuracy: "accurate" });
  assert.deepEqual(withAnswer(PROTOCOL, answers, "accuracy", "inaccurate"), answers);
  assert.deepEqual(answers, { accuracy: "inaccurate", severity: "severe" }, "nothing is changed in place");
});

test("hidden answers, nulls and blank texts are pruned; unknown questions are reported", () => {
  assert.deepEqual(
    { ...prune(PROTOCOL, { accuracy: "accurate", severity: "severe", overall: "  \n", claim: null }) },
    { accuracy: "accurate" },
  );
  assert.match(
    problems(PROTOCOL, { accuracy: "accurate", colour: "red" }).colour[0],
    /is not a question of this protocol/,
  );
});

test("inherited properties are no answers", () => {
  const protocol = { unit: "sentence", questions: [question("constructor", { options: options("a") })] };
  assert.deepEqual(Object.keys(problems(protocol, {})), ["constructor"]);
});

test("questions asked once come with the last item, others by the kind of the item", () => {
  const keys = (isLast, kind) => protocolForItem(PROTOCOL, isLast, kind).questions.map(({ key }) => key);
  assert.deepEqual(keys(false, "sentence"), ["accuracy", "severity", "sources"]);
  assert.deepEqual(keys(true, "claim"), ["accuracy", "severity", "sources", "overall", "claim"]);
});

test("addresses are checked line by line, and lengths are counted in code points", () => {
  assert.deepEqual(addresses(" https://a.example/ \n\n http://b.example"), ["https://a.example/", "http://b.example"]);
  assert.ok(isAddress("https://example.org/path?query#part"));
  for (const line of ["ftp://example.org", "https://user@example.org", "https://localhost", "https://exa mple.org"])
    assert.ok(!isAddress(line), line);
  const messages = problems(PROTOCOL, { accuracy: "accurate", sources: "https://a.example\nnonsense" });
  assert.match(messages.sources[0], /^Address 2, 'nonsense'/);
  assert.ok(
    isComplete({ unit: "sentence", questions: [question("note", { kind: "text", max_length: 2 })] }, { note: "😀😀" }),
  );
});
