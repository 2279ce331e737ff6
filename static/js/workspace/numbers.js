// The numbers of a text as values: 12.5 equals 12.50, "two" is 2, "1,000" is 1 000, 45 % is 0.45 and 1.2 km is 1,200 m.
// An uncertain match counts as a match: a wrong hint costs more trust than a missing one.

/** @typedef {{ base: string, factor: number }} Unit */
/**
 * @typedef {object} NumberInText
 * @property {number} start
 * @property {number} end
 * @property {number} value
 * @property {Unit | null} unit
 * @property {boolean} isWord written in words
 * @property {boolean} isName part of a name, as in GPT-4 or CO2
 * @property {boolean} isListed only counts lines, sources or pages, as in "1.", "[3]" and "2020, p. 5"
 */
/**
 * A number while it is read; several become one ("two hundred and six").
 * @typedef {object} Token
 * @property {number} start
 * @property {number} end
 * @property {number | null} value
 * @property {string} kind
 * @property {number} [scale]
 * @property {number} [divisor] of "third": 3
 * @property {number} [settled] the sum before the last term
 * @property {number} [tail] the last term
 * @property {boolean} [isName]
 * @property {boolean} [isListed]
 */

/** @type {Record<string, number>} */
const ONES = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
};
/** @type {Record<string, number>} */
const TENS = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 };
/** @type {Record<string, number>} */
const SCALES = {
  hundred: 1e2,
  hundreds: 1e2,
  thousand: 1e3,
  thousands: 1e3,
  million: 1e6,
  millions: 1e6,
  mn: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
  trillion: 1e12,
  trillions: 1e12,
};
/** @type {Record<string, number>} */
const LETTER_SCALES = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 };
/** @type {Record<string, number>} The divisors of fractions. */
const PARTS = {
  half: 2,
  halves: 2,
  third: 3,
  thirds: 3,
  quarter: 4,
  quarters: 4,
  fourth: 4,
  fourths: 4,
  fifth: 5,
  fifths: 5,
  sixth: 6,
  sixths: 6,
  eighth: 8,
  eighths: 8,
  tenth: 10,
  tenths: 10,
};
/** @type {Record<string, number | null>} */
const OTHERS = { twice: 2, thrice: 3, dozen: 12, dozens: null };
/** @type {Record<string, number>} */
const FRACTIONS = {
  "¼": 1 / 4,
  "½": 1 / 2,
  "¾": 3 / 4,
  "⅓": 1 / 3,
  "⅔": 2 / 3,
  "⅕": 1 / 5,
  "⅖": 2 / 5,
  "⅗": 3 / 5,
  "⅘": 4 / 5,
  "⅛": 1 / 8,
};

/** @type {Map<string, Unit>} Name of a unit -> its base unit and factor. Units with the same base can be compared. */
const UNITS = new Map();
/**
 * @param {string} base
 * @param {number} factor
 * @param {string} names
 */
function addUnit(base, factor, names) {
  for (const name of names.split(" ")) UNITS.set(name, { base, factor });
}
addUnit("share", 0.01, "% percent percents per-cent pct percentage-point percentage-points pp");
addUnit("share", 0.001, "‰");
addUnit("metre", 1e-9, "nm nanometre nanometres nanometer nanometers");
addUnit("metre", 1e-6, "µm μm um micrometre micrometres micrometer micrometers");
addUnit("metre", 1e-3, "mm millimetre millimetres millimeter millimeters");
addUnit("metre", 1e-2, "cm centimetre centimetres centimeter centimeters");
addUnit("metre", 1, "m metre metres meter meters");
addUnit("metre", 1e3, "km kms kilometre kilometres kilometer kilometers");
addUnit("metre", 1609.344, "mi mile miles");
addUnit("metre", 0.3048, "ft foot feet");
addUnit("gram", 1e-6, "µg μg microgram micrograms");
addUnit("gram", 1e-3, "mg milligram milligrams");
addUnit("gram", 1, "g gram grams");
addUnit("gram", 1e3, "kg kilogram kilograms");
addUnit("gram", 1e6, "tonne tonnes");
addUnit("second", 1e-3, "ms millisecond milliseconds");
addUnit("second", 1, "s sec secs second seconds");
addUnit("second", 60, "min mins minute minutes");
addUnit("second", 3600, "h hr hrs hour hours");
addUnit("second", 86_400, "day days");
addUnit("second", 604_800, "week weeks");
addUnit("month", 1, "month months");
addUnit("month", 12, "yr yrs year years");
addUnit("hertz", 1, "Hz");
addUnit("hertz", 1e3, "kHz");
addUnit("hertz", 1e6, "MHz");
addUnit("hertz", 1e9, "GHz");
addUnit("byte", 1e3, "kB KB kilobyte kilobytes");
addUnit("byte", 1e6, "MB megabyte megabytes");
addUnit("byte", 1e9, "GB gigabyte gigabytes");
addUnit("byte", 1e12, "TB terabyte terabytes");
addUnit("litre", 1e-3, "ml mL millilitre millilitres milliliter milliliters");
addUnit("litre", 1, "l L litre litres liter liters");
addUnit("degree celsius", 1, "°C");
addUnit("degree fahrenheit", 1, "°F");
addUnit("degree", 1, "° degree degrees");
addUnit("dollar", 1, "$ USD dollar dollars");
addUnit("euro", 1, "€ EUR euro euros");
addUnit("pound", 1, "£ GBP pound pounds");

const GROUPS = String.raw`(?:,\d{3})+|(?:[\u00a0\u2009\u202f ]\d{3})+|(?:['’]\d{3})+`;
const DIGITS = String.raw`\d{1,3}(?:${GROUPS})(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+`;
const WORDS = [ONES, TENS, SCALES, PARTS, OTHERS]
  .flatMap(Object.keys)
  .sort((a, b) => b.length - a.length)
  .join("|");
const TOKEN = new RegExp(
  String.raw`(?<digits>${DIGITS})|(?<fraction>[${Object.keys(FRACTIONS).join("")}])|(?<!\p{L})(?<word>${WORDS})(?!\p{L})`,
  "giu",
);
const UNIT = new RegExp(
  String.raw`^[\s\u00a0\u2009\u202f-]?(per cent\b|percentage points?\b|%|‰|°[CF]?|[\p{L}$€£µμ]+)`,
  "u",
);
/** A page after its abbreviation, or the end of a range of pages: "p. 5", "pp. 5–7", "page 5". */
const AFTER_PAGE = /(?<![\p{L}\d])(pp?\.|pages?)\s?(\d+\s?[-–—]\s?)?$/iu;
const BEFORE_PAGE = /^[\s,:;(]*pp?\.\s?\d/iu;
/** Characters of a list of sources such as "[3, 8, 12]" that are looked through: all of a text would take too long. */
const LONGEST_LIST = 200;
const SPACES = /^[\s\u00a0\u2009\u202f\u2010\u2011-]*$/;

/**
 * The numbers of `text`, in order. Offsets are of JavaScript strings and include the unit.
 * @param {string} text
 */
export function numbersIn(text) {
  /** @type {Token[]} */
  const tokens = [];
  const textStart = text.search(/\S/);
  for (const match of text.matchAll(TOKEN)) {
    const token = readToken(match, text, textStart);
    const last = tokens.at(-1);
    if (!last || !joinTokens(last, token, text)) tokens.push(token);
  }
  return tokens.filter(({ value }) => value !== null).map((token) => finishNumber(token, text));
}

/**
 * @param {RegExpMatchArray} match
 * @param {string} text
 * @param {number} textStart of the text without white space
 * @returns {Token}
 */
function readToken({ index: start = 0, groups = {}, 0: raw }, text, textStart) {
  const end = start + raw.length;
  if (groups.digits)
    return { start, end, value: parseDigits(raw), kind: "digits", ...contextOf(text, start, end, start === textStart) };
  if (groups.fraction) return { start, end, value: FRACTIONS[raw], kind: "part" };
  const word = raw.toLowerCase();
  if (word in ONES) return { start, end, value: ONES[word], kind: "one" };
  if (word in TENS) return { start, end, value: TENS[word], kind: "ten" };
  if (word in SCALES) return { start, end, value: null, scale: SCALES[word], kind: "scale" };
  const divisor = PARTS[word];
  if (divisor)
    return { start, end, value: isSingle(word, text, start, end) ? 1 / divisor : null, divisor, kind: "part" };
  return { start, end, value: OTHERS[word], kind: "other" };
}

/**
 * Whether a fraction means one part: "half", "a quarter", "a third of"; but not "a third bird".
 * @param {string} word
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
function isSingle(word, text, start, end) {
  if (word === "half") return true;
  return (
    /(^|\P{L})an?\s+$/iu.test(text.slice(Math.max(0, start - 6), start)) &&
    (word === "quarter" || /^\s+of\b/.test(text.slice(end)))
  );
}

/**
 * "1,000.50", "1 000" and "12,5" as numbers. A comma before three digits separates thousands; any other is a decimal
 * comma.
 * @param {string} raw
 */
function parseDigits(raw) {
  const plain = raw.replace(/[\s\u00a0\u2009\u202f'’]/g, "");
  const isDecimalComma = /^\d+,\d+$/.test(plain) && !/^[1-9]\d{0,2},\d{3}$/.test(plain);
  return Number(isDecimalComma ? plain.replace(",", ".") : plain.replaceAll(",", ""));
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {boolean} isFirst
 */
function contextOf(text, start, end, isFirst) {
  const before = text.slice(Math.max(0, start - 2), start);
  const listBefore = text.slice(Math.max(0, start - LONGEST_LIST), start);
  const after = text.slice(end, end + 2);
  const isOfCitation =
    AFTER_PAGE.test(text.slice(Math.max(0, start - 16), start)) || BEFORE_PAGE.test(text.slice(end, end + 12));
  return {
    isName: /[\p{L}_]-?$/u.test(before) && !/[x×]$/.test(before),
    isListed:
      isOfCitation ||
      (isFirst && /^[.):](\s|$)/.test(after)) ||
      (/\[$|,\s?$/.test(before) && /^[\],]/.test(after) && /\[[\d,\s–-]*$/.test(listBefore)),
  };
}

/**
 * Adds `token` to `last` if both are one number: "twenty-five", "3 million", "two hundred and six", "two thirds", "2½".
 * @param {Token} last
 * @param {Token} token
 * @param {string} text
 */
function joinTokens(last, token, text) {
  const value = joinedValue(last, token, text.slice(last.end, token.start));
  if (value === undefined) return false;
  const kind =
    token.kind === "scale"
      ? last.kind === "digits"
        ? "digits"
        : "scaled"
      : token.kind === "part"
        ? "part"
        : last.kind === "ten"
          ? "one"
          : "scaled";
  const isSum = kind === "scaled" && token.kind !== "scale";
  const terms = isSum
    ? { settled: last.value, tail: token.value }
    : { settled: last.settled, tail: last.tail && last.tail * (token.scale ?? NaN) };
  Object.assign(last, { value, end: token.end, kind, scale: token.scale ?? last.scale, ...terms });
  return true;
}

/**
 * The value of both tokens as one number; undefined if they are two numbers.
 * @param {Token} last
 * @param {Token} token
 * @param {string} between the text between them
 */
function joinedValue(last, token, between) {
  const isNext = SPACES.test(between);
  if (last.value === null) return undefined;
  if (token.kind === "scale") return isNext ? scaledValue(last, last.value, token.scale ?? 1) : undefined;
  if (token.divisor) {
    const isPart = isNext && between && Number.isInteger(last.value) && last.value < token.divisor;
    return isPart ? last.value / token.divisor : undefined;
  }
  if (token.value === null) return undefined;
  if (isNext && last.kind === "ten" && token.kind === "one" && token.value > 0 && token.value < 10)
    return last.value + token.value;
  if (token.kind === "part" && !between && last.kind === "digits") return last.value + token.value;
  const isSum =
    last.kind === "scaled" && (isNext || /^\s+and\s+$/.test(between)) && ["one", "ten"].includes(token.kind);
  return isSum && token.value < (last.scale ?? 0) ? last.value + token.value : undefined;
}

/**
 * @param {Token} last
 * @param {number} value
 * @param {number} scale
 */
function scaledValue({ settled = 0, tail }, value, scale) {
  return tail ? settled + tail * scale : value * scale;
}

/**
 * The number with its scale letter, unit or currency.
 * @param {Token} token
 * @param {string} text
 * @returns {NumberInText}
 */
function finishNumber({ start, end, value: plainValue, kind, isName = false, isListed = false }, text) {
  const value = plainValue ?? NaN;
  const number = { start, end, value, unit: null, isWord: kind !== "digits", isName, isListed };
  const letter = kind === "digits" && /^[kKMB](?![\p{L}\d])/u.exec(text.slice(end, end + 2));
  if (letter) return { ...number, value: value * LETTER_SCALES[letter[0]], end: end + 1 };
  const after = UNIT.exec(text.slice(end, end + 24));
  const name = after?.[1].replace(/\s+/g, "-") ?? "";
  const unit = UNITS.get(name) ?? (name.length > 3 ? UNITS.get(name.toLowerCase()) : undefined);
  if (after && unit) return { ...number, unit, end: end + after[0].length };
  const currency = /[$€£]\s?$/.exec(text.slice(Math.max(0, start - 2), start))?.[0];
  if (currency) return { ...number, unit: UNITS.get(currency.trim()) ?? null, start: start - currency.length };
  return number;
}

/** @typedef {{ value: number, unit: Unit | null }} Quantity */

/**
 * Whether two numbers can mean the same. A number without a unit may have it in a table's head, or be a share of 1.
 * @param {Quantity} a
 * @param {Quantity} b
 */
export function canBeEqual(a, b) {
  if (a.unit && b.unit) return a.unit.base === b.unit.base && isNear(a.value * a.unit.factor, b.value * b.unit.factor);
  if (isNear(a.value, b.value)) return true;
  return [
    [a, b],
    [b, a],
  ].some(
    ([share, plain]) =>
      share.unit?.base === "share" && !plain.unit && isNear(share.value * share.unit.factor, plain.value),
  );
}

/**
 * @param {number} a
 * @param {number} b
 */
function isNear(a, b) {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** The numbers of an article, ready for comparison with those of sentences. */
export class NumberIndex {
  constructor() {
    /**
     * Value to nine digits -> numbers.
     * @type {Map<string, (Quantity & Partial<PassageRange> & { isName?: boolean })[]>}
     */
    this.byValue = new Map();
  }

  /**
   * @param {string} text
   * @param {string} [paragraph] the id of the paragraph, if the text is one that can be shown
   */
  add(text, paragraph) {
    const numbers = numbersIn(text).map((number) => ({ ...number, paragraph }));
    const pieces = numbers.flatMap((number) => splitThousands(text.slice(number.start, number.end)));
    for (const number of [...numbers, ...pieces]) {
      for (const key of valueKeys(number)) {
        const equal = this.byValue.get(key);
        if (equal) equal.push(number);
        else this.byValue.set(key, [number]);
      }
    }
  }

  /** @param {Quantity} number */
  equalNumbers(number) {
    return valueKeys(number)
      .flatMap((key) => this.byValue.get(key) ?? [])
      .filter((other) => canBeEqual(number, other));
  }

  /**
   * @param {Quantity} number
   * @param {string} raw the number as it is written
   */
  has(number, raw = "") {
    const pieces = splitThousands(raw);
    if (pieces.length && pieces.every((piece) => this.has(piece))) return true;
    return valueKeys(number).some((key) => this.byValue.get(key)?.some((other) => canBeEqual(number, other)));
  }

  /**
   * Where the numbers of `sentence` are in the article. Parts of names are no numbers: a 1 is not in "F1".
   * @param {string} sentence
   */
  occurrences(sentence) {
    /** @type {Map<string, Quantity>} */
    const different = new Map();
    for (const number of numbersIn(sentence).filter(isCompared))
      different.set(`${number.value} ${number.unit?.base} ${number.unit?.factor}`, number);
    const ranges = [...different.values()]
      .flatMap((number) => this.equalNumbers(number))
      .filter(({ paragraph, isName }) => paragraph && !isName);
    return /** @type {PassageRange[]} */ ([...new Set(ranges)]);
  }

  /**
   * The numbers of `sentence` that the article does not have.
   * @param {string} sentence
   */
  missing(sentence) {
    /** @type {Map<string, boolean>} A number as it is written -> whether the article has it. */
    const answers = new Map();
    return numbersIn(sentence).filter((number) => {
      if (!isCompared(number)) return false;
      const raw = sentence.slice(number.start, number.end);
      if (!answers.has(raw)) answers.set(raw, this.has(number, raw));
      return !answers.get(raw);
    });
  }
}

/**
 * Whether a number of a sentence is compared with those of the article: not a part of a name, the number of a line, a
 * source or a page, nor a bare "one".
 * @param {NumberInText} number
 */
function isCompared({ isName, isListed, isWord, value, unit }) {
  return !isName && !isListed && !(isWord && value === 1 && !unit);
}

/**
 * "3 500" may be two numbers, as in "see Table 3 500 times".
 * @param {string} raw
 * @returns {Quantity[]}
 */
function splitThousands(raw) {
  const pieces = /^\d+(?: \d+)+/.exec(raw)?.[0].split(" ") ?? [];
  return pieces.map((piece) => ({ value: Number(piece), unit: null }));
}

/**
 * The value as it is written, and in its base unit, to nine digits.
 * @param {Quantity} quantity
 */
function valueKeys({ value, unit }) {
  const values = unit ? [value, value * unit.factor] : [value];
  return values.map((each) => each.toPrecision(9));
}
