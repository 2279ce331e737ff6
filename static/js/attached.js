// The passages attached to an answer: what they are in the page, the list by the questions, and those that have no answer to
// go with yet. A passage attached before its sentence is answered is written down in this browser until the answer takes it.

const STANCES = { supports: ["+", "Supports"], contradicts: ["−", "Contradicts"] };
const LONGEST_WAIT = 30 * 24 * 3600 * 1000;

/** `attached` with `passages` in it, under `stance`: one that was there already takes the new stance. */
export function withPassages(attached, passages, stance) {
  const fresh = passages.map(({ paragraph, start, end, text }) => ({ paragraph, start, end, stance, text }));
  return [...attached.filter((old) => !fresh.some((each) => isSame(each, old))), ...fresh];
}

export function isSame(a, b) {
  return a.paragraph === b.paragraph && a.start === b.start && a.end === b.end;
}

/** Everything that is in either; where both have a passage, as `first` has it. */
export function together(first, second) {
  return [...first, ...second.filter((other) => !first.some((each) => isSame(each, other)))];
}

export function sameEvidence(a, b) {
  return a.length === b.length && a.every((each, n) => isSame(each, b[n]) && each.stance === b[n].stance);
}

export function stanceWords(stance) {
  return STANCES[stance]?.[1] ?? stance;
}

/** The list by the questions. `tell` has `show(passage)` and `remove(passage)`. */
export class AttachedList {
  constructor(row, tell) {
    this.row = row;
    this.tell = tell;
    row.addEventListener("click", (event) => this.click(event));
  }

  /** Shows the passages, `[{…, heading, words}]`, and the numbers that the article does not have. */
  show(passages, missing) {
    this.passages = passages;
    this.row.querySelector("[data-missing]").hidden = !missing.length;
    this.row.querySelector("[data-missing-numbers]").textContent = missing.join(", ");
    this.row.querySelector("[data-attached]").replaceChildren(...passages.map(entry));
    this.row.toggleAttribute("data-empty", !passages.length && !missing.length);
  }

  click(event) {
    const button = event.target.closest("button");
    const entries = [...this.row.querySelectorAll("[data-attached] li")];
    const passage = button && this.passages[entries.indexOf(button.closest("li"))];
    if (!passage) return;
    if ("remove" in button.dataset) this.tell.remove(passage);
    else this.tell.show(passage);
  }
}

function entry({ stance, heading, words: text }) {
  const line = document.createElement("li");
  const [sign, does] = STANCES[stance] ?? ["·", "Attached"];
  const where = heading ? `${heading}: ` : "";
  line.dataset.stance = stance;
  line.append(button("", `${sign} `, `Show in the article. ${does}: ${where}${text}`), button("remove", "×", `Remove. ${does}: ${where}${text}`));
  const quote = document.createElement("span");
  quote.textContent = text;
  line.firstChild.append(quote);
  return line;
}

function button(does, words, label) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.title = label;
  made.setAttribute("aria-label", label);
  if (does) made.dataset[does] = "";
  return made;
}

/** Passages that wait for their answer, by rater and assignment. */
export class Drafts {
  constructor(rater) {
    this.prefix = `factuary:evidence:${rater}:`;
    this.forgetOld();
  }

  of(assignment, item) {
    return read(this.name(assignment, item))?.evidence ?? null;
  }

  keep(assignment, item, evidence) {
    const name = this.name(assignment, item);
    try {
      if (evidence.length) localStorage.setItem(name, JSON.stringify({ at: Date.now(), evidence }));
      else localStorage.removeItem(name);
    } catch {
      // Storage is full or forbidden: the passages are still in the page.
    }
  }

  drop(assignment, item) {
    this.keep(assignment, item, []);
  }

  name(assignment, item) {
    return `${this.prefix}${assignment}:${item}`;
  }

  forgetOld() {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(this.prefix) && !(read(name)?.at > Date.now() - LONGEST_WAIT)) localStorage.removeItem(name);
    }
  }
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}
