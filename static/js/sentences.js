// The sentences of a response in the page: which one is lit, which are answered and how. Only attributes and classes change.

/** The items of the sheet with their spans, in order. `work` is what the page says about them. */
export function readItems(root, work) {
  const spans = new Map();
  for (const span of root.querySelectorAll(".s[data-item]")) {
    const position = Number(span.dataset.item);
    spans.set(position, [...(spans.get(position) ?? []), span]);
  }
  return work.items.map((item, index) => ({
    ...item,
    index,
    answers: item.answers ?? null,
    draft: { ...(item.answers ?? {}) },
    evidence: (item.evidence ?? []).filter(isPassage),
    suggestions: item.suggestions ?? "",
    spans: spans.get(item.position) ?? [],
  }));
}

/** An import may have brought other kinds of evidence, which the page leaves alone. */
function isPassage({ paragraph, start, end, stance, text }) {
  return [paragraph, stance, text].every((each) => typeof each === "string") && [start, end].every(Number.isInteger);
}

/** Whether two answers say the same; null is no answer. */
export function same(a, b) {
  if (!a || !b) return a === b;
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

/** Without an answer, or with one that was begun and not completed. */
export function isOpen(item) {
  return !item.answers || !same(item.answers, item.draft);
}

export function textOf(item) {
  return item.spans.map((span) => span.textContent).join("").replace(/\s+/g, " ").trim();
}

/** The options that were chosen, in the order of the questions. */
export function chosen(protocol, answers) {
  const pairs = protocol.questions.map((question) => [question, answers?.[question.key]]);
  return pairs.flatMap(([question, answer]) => question.options.find((option) => option.key === answer) ?? []);
}

/** "Inaccurate, Severe", or the words of a text answer. */
export function inWords(protocol, answers) {
  const given = protocol.questions.map((question) => {
    const answer = answers?.[question.key];
    return question.options.find((option) => option.key === answer)?.label ?? (typeof answer === "string" ? `“${answer}”` : null);
  });
  return given.filter(Boolean).join(", ") || "no answer";
}

/** Shows sign, colour and underline of an answer. A flagged answer is underlined; a severe one differently again. */
export function mark(item, protocol) {
  const open = isOpen(item);
  const [first, second] = chosen(protocol, item.draft);
  const flag = !second ? null : ["inaccurate", "disputed"].includes(second.tone) ? "heavy" : "light";
  const whole = first && (first.sign || first.label.slice(0, 1)) + (flag === "heavy" ? second.sign : "");
  const sign = first ? (open ? "…" : whole) : null; // begun, but not complete
  for (const span of item.spans) {
    set(span, "state", open ? "open" : "answered");
    set(span, "tone", first?.tone ?? null);
    set(span, "flag", flag);
    set(span, "sign", span.classList.contains("first") ? (sign ?? (item.answers ? "✓" : null)) : null);
  }
}

function set(span, name, value) {
  if (value === null) delete span.dataset[name];
  else span.dataset[name] = value;
}

/** Lights `item` and lets it be seen. */
export function light(before, item) {
  for (const span of before?.spans ?? []) span.classList.remove("now");
  for (const span of item.spans) span.classList.add("now");
  item.spans.at(-1)?.scrollIntoView({ block: "nearest" });
  item.spans[0]?.scrollIntoView({ block: "nearest" });
}
