// Ranks the passages of an article for one sentence. Without a DOM: texts in, ranges out.
//
// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over paragraphs and
// over their sentences. In addition to plain BM25: words are stemmed lightly; the words of a section's heading count
// for its paragraphs; numbers and names have a higher weight; a sentence's own score is added to its paragraph's; and
// the words of the prompt count a little, because a sentence such as "It has three layers" does not name its subject.
//
// `annotation/retrieval/passage_ranking.py` is the same for judges, who are shown the passages that raters are. A test
// compares both: nothing here may depend on the browser, as its own cutting into sentences does.

/** Of the ranking: verdicts of judges keep it. */
export const VERSION = 2;

/** @typedef {{ start: number, end: number, stem: string, isName: boolean, isNumber: boolean }} Word */
/** @typedef {Map<string, number>} Weights Stem -> count or weight. */
/** @typedef {{ start: number, end: number, words: Weights, length: number }} IndexedSentence */
/**
 * @typedef {{ id: string, text: string, words: Weights, length: number, sentences: IndexedSentence[] }}
 *   IndexedParagraph
 */

const K1 = 2;
const B = 0.6;
const HEADING_WEIGHT = 1; // of a word of the heading; a word of the paragraph has 1
const SENTENCE_WEIGHT = 0.9; // of the best sentence's own score
const CONTEXT_WEIGHT = 0.35; // of a word of the prompt; a word of the sentence has 1
const NAME_WEIGHT = 1.25;
const NUMBER_WEIGHT = 1.5;

const STOP_WORDS = new Set(
  "a about above after again all also although always am among an and any are as at be became because been before being below between both but by can cannot could did do does doing done down during each either else etc even every few for from further get had has have having he her here hers him his how however i if in indeed into is it its itself just least less like made make many may me might more most much must my near neither no nor not now of off often on once only onto or other others our ours out over own per perhaps quite rather same seem shall she should since so some such than that the their theirs them then there these they this those though through thus to too toward towards under until up upon us use used uses using very via was we well were what when where whether which while who whom whose why will with within without would yet you your yours".split(
    " ",
  ),
);

/**
 * The words of `text` without stop words.
 * @param {string} text
 */
function wordsIn(text) {
  /** @type {Word[]} */
  const words = [];
  for (const { 0: raw, index } of text.matchAll(/\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)?/gu)) {
    const lower = fold(raw);
    if (/^.?$/u.test(lower) && !/\d/.test(lower)) continue;
    if (STOP_WORDS.has(lower)) continue;
    const isNumber = /^\d/.test(raw);
    words.push({
      start: index,
      end: index + raw.length,
      stem: isNumber ? lower.replaceAll(",", "") : stem(lower),
      isName: isName(raw, index),
      isNumber,
    });
  }
  return words;
}

/** @param {string} raw */
function fold(raw) {
  return raw
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/['’]s?$|['’].*$/, "");
}

/**
 * With a capital inside a sentence, or with capitals or digits after the first letter.
 * @param {string} raw
 * @param {number} index
 */
function isName(raw, index) {
  return /^\p{L}.*[\p{Lu}\d]/u.test(raw) || (index > 0 && /^\p{Lu}/u.test(raw));
}

/**
 * A light stemmer: plural and the commonest endings, so that "trained", "training" and "trains" are one word.
 * @param {string} word
 */
export function stem(word) {
  if (word.length < 4 || /[\d\u{10000}-\u{10ffff}]/u.test(word)) return word;
  let base = word;
  if (/(ss|us|is)$/.test(base)) return base;
  if (/ies$/.test(base) && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(ches|shes|sses|xes|zes)$/.test(base)) base = base.slice(0, -2);
  else if (/s$/.test(base)) base = base.slice(0, -1);
  for (const [ending, replacement] of ENDINGS) {
    if (base.endsWith(ending) && base.length - ending.length >= 3)
      return tidy(base.slice(0, -ending.length) + replacement);
  }
  return tidy(base);
}

const ENDINGS = [
  ["ization", "ize"],
  ["isation", "ize"],
  ["ational", "ate"],
  ["ingly", ""],
  ["ation", "ate"],
  ["ition", "it"],
  ["edly", ""],
  ["ment", ""],
  ["ness", ""],
  ["ally", "al"],
  ["ing", ""],
  ["ion", ""],
  ["ity", ""],
  ["ily", "y"],
  ["ed", ""],
  ["er", ""],
  ["or", ""],
  ["ly", ""],
  ["al", ""],
];

/** @param {string} base */
function tidy(base) {
  const single = /([^aeiouls])\1$/.test(base) ? base.slice(0, -1) : base;
  return single.length > 3 ? single.replace(/(ate|e)$/, "") : single;
}

const ABBREVIATION =
  /\b(?:et al|e\.\s?g|i\.\s?e|cf|vs|viz|figs?|eqs?|secs?|tab|resp|approx|ca|no|dr|mr|mrs|prof|st|ref|refs|app|vol|pp)\.$/i;
const LONGEST_ABBREVIATION = 12;
const INITIAL = /(?:^|[\s(])\p{Lu}\.$/u;

/**
 * The ranges of the sentences of `text`, without spaces at their ends.
 * @param {string} text
 */
export function sentencesIn(text) {
  const sentences = [];
  let start = 0;
  for (const { index, 0: stop } of [...text.matchAll(/[.!?]["”’)\]]*\s+(?=[\p{Lu}\d"“(])/gu), END]) {
    const end = stop ? index + stop.length : text.length;
    const sentence = trimmed(text, start, end);
    if (end < text.length && endsWithAbbreviation(text, sentence)) {
      start = sentence.start; // white space is passed once, however many abbreviations follow
      continue;
    }
    if (sentence.end > sentence.start) sentences.push(sentence);
    start = end;
  }
  return sentences;
}

const END = { index: 0, 0: "" };

/**
 * @param {string} text
 * @param {{ start: number, end: number }} sentence
 */
function endsWithAbbreviation(text, { start, end }) {
  const tail = text.slice(Math.max(start, end - LONGEST_ABBREVIATION), end);
  return ABBREVIATION.test(tail) || INITIAL.test(tail);
}

/**
 * A range of `text` without the spaces at its ends.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
export function trimmed(text, start, end) {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from])) from++;
  while (to > from && /\s/.test(text[to - 1])) to--;
  return { start: from, end: to };
}

/** The index of an article. Paragraphs are added one by one, which may be spread over idle moments. */
export class PassageIndex {
  constructor() {
    /** @type {IndexedParagraph[]} */
    this.paragraphs = [];
    /** @type {Map<string, number[]>} Stem -> numbers of the paragraphs that have it, in their text or their heading. */
    this.paragraphsWith = new Map();
    /** @type {Map<string, PassageRange[]>} Stem -> where it is. */
    this.occurrences = new Map();
    /** @type {Weights} Stem -> number of sentences that have it. */
    this.sentenceCounts = new Map();
    this.wordCount = 0;
    this.sentenceCount = 0;
    this.sentenceWords = 0;
  }

  /**
   * @param {string} id
   * @param {string} text
   * @param {string} heading
   */
  add(id, text, heading = "") {
    const words = wordsIn(text);
    const number = this.paragraphs.length;
    const counts = countStems(words);
    for (const { stem: word } of wordsIn(heading)) counts.set(word, (counts.get(word) ?? 0) + HEADING_WEIGHT);
    for (const word of counts.keys()) append(this.paragraphsWith, word, number);
    for (const { stem: word, start, end } of words) append(this.occurrences, word, { paragraph: id, start, end });
    this.paragraphs.push({ id, text, words: counts, length: words.length, sentences: this.addSentences(text, words) });
    this.wordCount += words.length;
  }

  /**
   * @param {string} text
   * @param {Word[]} words
   */
  addSentences(text, words) {
    let next = 0;
    return sentencesIn(text).map(({ start, end }) => {
      /** @type {Word[]} */
      const sentenceTerms = [];
      while (next < words.length && words[next].start < end) sentenceTerms.push(words[next++]);
      const counts = countStems(sentenceTerms);
      for (const word of counts.keys()) this.sentenceCounts.set(word, (this.sentenceCounts.get(word) ?? 0) + 1);
      this.sentenceCount += 1;
      this.sentenceWords += sentenceTerms.length;
      return { start, end, words: counts, length: sentenceTerms.length };
    });
  }

  /**
   * Where the rarest words of `sentence` are: at most `limit` words, none that is in every third paragraph.
   * @param {string} sentence
   */
  rareWordPlaces(sentence, limit = 10) {
    const stems = [
      ...new Set(
        wordsIn(sentence)
          .filter(({ isNumber }) => !isNumber)
          .map((word) => word.stem),
      ),
    ];
    /** @param {string} word */
    const frequency = (word) => this.paragraphsWith.get(word)?.length ?? 0;
    const rare = stems.filter(
      (word) => this.occurrences.has(word) && frequency(word) <= Math.max(2, this.paragraphs.length / 3),
    );
    return rare
      .sort((a, b) => frequency(a) - frequency(b))
      .slice(0, limit)
      .flatMap((word) => this.occurrences.get(word) ?? []);
  }

  /**
   * The best passages, best first, one a paragraph.
   * @param {string} sentence
   * @param {string} context the prompt
   */
  best(sentence, context = "", limit = 5) {
    const weights = this.queryWeights(sentence, context);
    const candidates = new Set([...weights.keys()].flatMap((word) => this.paragraphsWith.get(word) ?? []));
    const ranked = [...candidates].map((number) => this.rank(number, weights));
    return ranked
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, limit)
      .map(({ number, start, end, score }) => {
        const { id, text } = this.paragraphs[number];
        return { paragraph: id, start, end, text: text.slice(start, end), score };
      });
  }

  /**
   * @param {string} sentence
   * @param {string} context
   */
  queryWeights(sentence, context) {
    /** @type {Weights} */
    const weights = new Map();
    for (const word of wordsIn(sentence))
      weights.set(
        word.stem,
        Math.max(weights.get(word.stem) ?? 0, word.isNumber ? NUMBER_WEIGHT : word.isName ? NAME_WEIGHT : 1),
      );
    for (const word of wordsIn(context))
      if (!weights.has(word.stem)) weights.set(word.stem, CONTEXT_WEIGHT * (word.isName ? NAME_WEIGHT : 1));
    return weights;
  }

  /**
   * A paragraph's score and the range of its best sentence.
   * @param {number} number
   * @param {Weights} weights
   */
  rank(number, weights) {
    const { words, length, sentences } = this.paragraphs[number];
    const meanLength = this.wordCount / this.paragraphs.length || 1;
    const paragraphScore = bm25(words, length / meanLength, weights, (word) =>
      idf(this.paragraphsWith.get(word)?.length ?? 0, this.paragraphs.length),
    );
    const meanSentence = this.sentenceWords / this.sentenceCount || 1;
    let best = { score: -1, start: sentences[0]?.start ?? 0, end: sentences[0]?.end ?? 0 };
    for (const sentence of sentences) {
      const score = bm25(sentence.words, sentence.length / meanSentence, weights, (word) =>
        idf(this.sentenceCounts.get(word) ?? 0, this.sentenceCount),
      );
      if (score > best.score) best = { score, start: sentence.start, end: sentence.end };
    }
    const { start, end, score } = best;
    return { number, start, end, score: paragraphScore + SENTENCE_WEIGHT * Math.max(0, score) };
  }
}

/**
 * @param {Weights} counts
 * @param {number} relativeLength the text's length over the mean length
 * @param {Weights} weights
 * @param {(word: string) => number} inverseFrequency
 */
function bm25(counts, relativeLength, weights, inverseFrequency) {
  let sum = 0;
  for (const [word, weight] of weights) {
    const count = counts.get(word);
    if (count)
      sum += (weight * inverseFrequency(word) * count * (K1 + 1)) / (count + K1 * (1 - B + B * relativeLength));
  }
  return sum;
}

/**
 * @param {number} frequency
 * @param {number} total
 */
function idf(frequency, total) {
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

/** @param {Word[]} words */
function countStems(words) {
  /** @type {Weights} */
  const counts = new Map();
  for (const { stem: word } of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * @template T
 * @param {Map<string, T[]>} lists
 * @param {string} key
 * @param {T} value
 */
function append(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
