// The passages of an article that bear most on a sentence. Pure: texts in, places out.
//
// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over paragraphs and over
// their sentences: rare words weigh more, repetition less and less. Beside plain BM25: words are cut to their stems;
// a section's heading counts a little for its paragraphs; numbers and names of the sentence weigh more; what stands
// close together in one sentence counts twice, as its paragraph's and as its own; and the prompt's words count a little,
// because a sentence such as "It has three layers" leaves out what it is about.

const K1 = 2;
const B = 0.6;
const HEADING = 1; // how much a word of the heading counts beside one of the paragraph
const OWN = 0.9; // how much the best sentence's own score counts beside its paragraph's
const CONTEXT = 0.35; // the prompt's words beside the sentence's
const NAME = 1.25;
const NUMBER = 1.5;

const STOP = new Set(("a about above after again all also although always am among an and any are as at be became because been before being below between both but by can cannot could did do does doing done down during each either else etc even every few for from further get had has have having he her here hers him his how however i if in indeed into is it its itself just least less like made make many may me might more most much must my near neither no nor not now of off often on once only onto or other others our ours out over own per perhaps quite rather same seem shall she should since so some such than that the their theirs them then there these they this those though through thus to too toward towards under until up upon us use used uses using very via was we well were what when where whether which while who whom whose why will with within without would yet you your yours").split(" "));

/** The words of `text`: `[{start, end, stem, isName, isNumber}]`, without those that stand everywhere. */
function wordsIn(text) {
  const words = [];
  for (const { 0: raw, index } of text.matchAll(/\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)?/gu)) {
    const lower = fold(raw);
    if (lower.length < 2 && !/\d/.test(lower)) continue;
    if (STOP.has(lower)) continue;
    const isNumber = /^\d/.test(raw);
    words.push({ start: index, end: index + raw.length, stem: isNumber ? lower.replaceAll(",", "") : stem(lower), isName: isName(raw, index), isNumber });
  }
  return words;
}

function fold(raw) {
  return raw.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase().replace(/['’]s?$|['’].*$/, "");
}

/** With a capital inside a sentence, or with capitals or digits after the first letter. */
function isName(raw, index) {
  return /^\p{L}.*[\p{Lu}\d]/u.test(raw) || (index > 0 && /^\p{Lu}/u.test(raw));
}

/** A light stemmer: plural and the commonest endings, so that "trained", "training" and "trains" are one word. */
export function stem(word) {
  if (word.length < 4 || /\d/.test(word)) return word;
  let base = word;
  if (/(ss|us|is)$/.test(base)) return base;
  if (/ies$/.test(base) && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(ches|shes|sses|xes|zes)$/.test(base)) base = base.slice(0, -2);
  else if (/s$/.test(base)) base = base.slice(0, -1);
  for (const [ending, instead] of ENDINGS) {
    if (base.endsWith(ending) && base.length - ending.length >= 3) return tidy(base.slice(0, -ending.length) + instead);
  }
  return tidy(base);
}

const ENDINGS = [["ization", "ize"], ["isation", "ize"], ["ational", "ate"], ["ingly", ""], ["ation", "ate"], ["ition", "it"], ["edly", ""], ["ment", ""], ["ness", ""], ["ally", "al"], ["ing", ""], ["ion", ""], ["ity", ""], ["ily", "y"], ["ed", ""], ["er", ""], ["or", ""], ["ly", ""], ["al", ""]];

function tidy(base) {
  const single = /([^aeiouls])\1$/.test(base) ? base.slice(0, -1) : base;
  return single.length > 3 ? single.replace(/(ate|e)$/, "") : single;
}

const SEGMENTER = globalThis.Intl?.Segmenter ? new Intl.Segmenter("en", { granularity: "sentence" }) : null;
const NO_END = /(?:\b(?:et al|e\.\s?g|i\.\s?e|cf|vs|viz|figs?|eqs?|secs?|tab|resp|approx|ca|no|dr|mr|mrs|prof|st|ref|refs|app|vol|pp)\.)\s*$/iu;
const INITIAL = /(?:^|[\s(])\p{Lu}\.\s*$/u;

/** Where the sentences of `text` are: `[{start, end}]` without spaces at their ends. */
export function sentencesIn(text) {
  const pieces = SEGMENTER ? [...SEGMENTER.segment(text)].map(({ index, segment }) => [index, index + segment.length]) : byFullStops(text);
  const whole = [];
  for (const [start, end] of pieces) {
    const last = whole.at(-1);
    if (last && goesOn(text.slice(last[0], last[1]))) last[1] = end;
    else whole.push([start, end]);
  }
  return whole.map(([start, end]) => trimmed(text, start, end)).filter(({ start, end }) => end > start);
}

function goesOn(text) {
  return NO_END.test(text) || INITIAL.test(text);
}

function byFullStops(text) {
  const ends = [...text.matchAll(/[.!?]["”’)\]]*\s+(?=[\p{Lu}\d"“(])/gu)].map(({ index, 0: stop }) => index + stop.length);
  return [0, ...ends].map((start, n) => [start, ends[n] ?? text.length]);
}

/** A range of `text` without the spaces at its ends. */
export function trimmed(text, start, end) {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from])) from++;
  while (to > from && /\s/.test(text[to - 1])) to--;
  return { start: from, end: to };
}

/** An article that can be asked. Add its paragraphs one by one (that may be spread over idle moments), then ask. */
export class Index {
  constructor() {
    this.paragraphs = []; // {id, text, length, words: Map stem -> times, sentences: [{start, end, length, words}]}
    this.holders = new Map(); // stem -> numbers of the paragraphs that have it, in their text or their heading
    this.places = new Map(); // stem -> [{paragraph, start, end}]
    this.inSentences = new Map(); // stem -> how many sentences have it
    this.length = 0;
    this.sentences = 0;
    this.sentenceLength = 0;
  }

  add(id, text, heading = "") {
    const words = wordsIn(text);
    const number = this.paragraphs.length;
    const counts = tally(words);
    for (const { stem: each } of wordsIn(heading)) counts.set(each, (counts.get(each) ?? 0) + HEADING);
    for (const each of counts.keys()) push(this.holders, each, number);
    for (const { stem: each, start, end } of words) push(this.places, each, { paragraph: id, start, end });
    this.paragraphs.push({ id, text, words: counts, length: words.length, sentences: this.cut(text, words) });
    this.length += words.length;
  }

  cut(text, words) {
    let at = 0;
    return sentencesIn(text).map(({ start, end }) => {
      const own = [];
      while (at < words.length && words[at].start < end) own.push(words[at++]);
      const counts = tally(own);
      for (const each of counts.keys()) this.inSentences.set(each, (this.inSentences.get(each) ?? 0) + 1);
      this.sentences += 1;
      this.sentenceLength += own.length;
      return { start, end, words: counts, length: own.length };
    });
  }

  /** Where the telling words of `sentence` stand: the rarest `most` of those that are not in every third paragraph. */
  tellingPlaces(sentence, most = 10) {
    const stems = [...new Set(wordsIn(sentence).filter(({ isNumber }) => !isNumber).map((word) => word.stem))];
    const held = (word) => this.holders.get(word).length;
    const telling = stems.filter((word) => this.places.has(word) && held(word) <= Math.max(2, this.paragraphs.length / 3));
    return telling.sort((a, b) => held(a) - held(b)).slice(0, most).flatMap((word) => this.places.get(word));
  }

  /** The `most` best passages, best first, one a paragraph: `[{paragraph, start, end, text, score}]`. */
  best(sentence, context = "", most = 5) {
    const asked = this.asked(sentence, context);
    const candidates = new Set([...asked.keys()].flatMap((word) => this.holders.get(word) ?? []));
    const scored = [...candidates].map((number) => this.scored(number, asked));
    return scored.sort((a, b) => b.score - a.score || a.number - b.number).slice(0, most).map(({ number, sentence: own, score }) => {
      const { id, text } = this.paragraphs[number];
      return { paragraph: id, start: own.start, end: own.end, text: text.slice(own.start, own.end), score };
    });
  }

  /** Stem -> weight. */
  asked(sentence, context) {
    const asked = new Map();
    for (const word of wordsIn(sentence)) asked.set(word.stem, Math.max(asked.get(word.stem) ?? 0, word.isNumber ? NUMBER : word.isName ? NAME : 1));
    for (const word of wordsIn(context)) if (!asked.has(word.stem)) asked.set(word.stem, CONTEXT * (word.isName ? NAME : 1));
    return asked;
  }

  scored(number, asked) {
    const { words, length, sentences } = this.paragraphs[number];
    const mean = this.length / this.paragraphs.length || 1;
    const whole = score(words, length / mean, asked, (word) => idf(this.holders.get(word).length, this.paragraphs.length));
    const typical = this.sentenceLength / this.sentences || 1;
    let best = { own: -1, sentence: sentences[0] ?? { start: 0, end: 0 } };
    for (const sentence of sentences) {
      const own = score(sentence.words, sentence.length / typical, asked, (word) => idf(this.inSentences.get(word), this.sentences));
      if (own > best.own) best = { own, sentence };
    }
    return { number, sentence: best.sentence, score: whole + OWN * Math.max(0, best.own) };
  }
}

function score(words, relativeLength, asked, weight) {
  let sum = 0;
  for (const [word, wanted] of asked) {
    const times = words.get(word);
    if (times) sum += wanted * weight(word) * times * (K1 + 1) / (times + K1 * (1 - B + B * relativeLength));
  }
  return sum;
}

function idf(held, all) {
  return Math.log(1 + (all - held + 0.5) / (held + 0.5));
}

function tally(words) {
  const counts = new Map();
  for (const { stem: each } of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function push(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}
