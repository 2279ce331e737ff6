// The numbers of a text as values: 12.5 is 12.50, "two" is 2, "1,000" is 1 000, 45 % is 0.45 and 1.2 km is 1,200 m. Pure.
// What cannot be told for sure counts as found: a hint that is wrong costs more trust than one that is missing.

const ONES = { zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19 };
const TENS = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 };
const SCALES = { hundred: 1e2, hundreds: 1e2, thousand: 1e3, thousands: 1e3, million: 1e6, millions: 1e6, mn: 1e6, billion: 1e9, billions: 1e9, bn: 1e9, trillion: 1e12, trillions: 1e12 };
const LETTER_SCALES = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 };
const PARTS = { half: 2, halves: 2, third: 3, thirds: 3, quarter: 4, quarters: 4, fourth: 4, fourths: 4, fifth: 5, fifths: 5, sixth: 6, sixths: 6, eighth: 8, eighths: 8, tenth: 10, tenths: 10 };
const OTHERS = { twice: 2, thrice: 3, dozen: 12, dozens: null };
const VULGAR = { "¼": 1 / 4, "½": 1 / 2, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5, "⅛": 1 / 8 };

// Every name of a unit -> what it measures and how many of the base it is. Those that measure the same can be compared.
const UNITS = new Map();
function unit(base, factor, names) {
  for (const name of names.split(" ")) UNITS.set(name, { base, factor });
}
unit("share", 0.01, "% percent percents per-cent pct percentage-point percentage-points pp");
unit("share", 0.001, "‰");
unit("metre", 1e-9, "nm nanometre nanometres nanometer nanometers");
unit("metre", 1e-6, "µm μm um micrometre micrometres micrometer micrometers");
unit("metre", 1e-3, "mm millimetre millimetres millimeter millimeters");
unit("metre", 1e-2, "cm centimetre centimetres centimeter centimeters");
unit("metre", 1, "m metre metres meter meters");
unit("metre", 1e3, "km kms kilometre kilometres kilometer kilometers");
unit("metre", 1609.344, "mi mile miles");
unit("metre", 0.3048, "ft foot feet");
unit("gram", 1e-6, "µg μg microgram micrograms");
unit("gram", 1e-3, "mg milligram milligrams");
unit("gram", 1, "g gram grams");
unit("gram", 1e3, "kg kilogram kilograms");
unit("gram", 1e6, "tonne tonnes");
unit("second", 1e-3, "ms millisecond milliseconds");
unit("second", 1, "s sec secs second seconds");
unit("second", 60, "min mins minute minutes");
unit("second", 3600, "h hr hrs hour hours");
unit("second", 86_400, "day days");
unit("second", 604_800, "week weeks");
unit("month", 1, "month months");
unit("month", 12, "yr yrs year years");
unit("hertz", 1, "Hz");
unit("hertz", 1e3, "kHz");
unit("hertz", 1e6, "MHz");
unit("hertz", 1e9, "GHz");
unit("byte", 1e3, "kB KB kilobyte kilobytes");
unit("byte", 1e6, "MB megabyte megabytes");
unit("byte", 1e9, "GB gigabyte gigabytes");
unit("byte", 1e12, "TB terabyte terabytes");
unit("litre", 1e-3, "ml mL millilitre millilitres milliliter milliliters");
unit("litre", 1, "l L litre litres liter liters");
unit("degree celsius", 1, "°C");
unit("degree fahrenheit", 1, "°F");
unit("degree", 1, "° degree degrees");
unit("dollar", 1, "$ USD dollar dollars");
unit("euro", 1, "€ EUR euro euros");
unit("pound", 1, "£ GBP pound pounds");

const DIGITS = String.raw`\d{1,3}(?:(?:,\d{3})+|(?:[\u00a0\u2009\u202f ]\d{3})+|(?:['’]\d{3})+)(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+`;
const WORDS = [ONES, TENS, SCALES, PARTS, OTHERS].flatMap(Object.keys).sort((a, b) => b.length - a.length).join("|");
const TOKEN = new RegExp(String.raw`(?<digits>${DIGITS})|(?<vulgar>[${Object.keys(VULGAR).join("")}])|(?<!\p{L})(?<word>${WORDS})(?!\p{L})`, "giu");
const UNIT = new RegExp(String.raw`^[\s\u00a0\u2009\u202f-]?(per cent\b|percentage points?\b|%|‰|°[CF]?|[\p{L}$€£µμ]+)`, "u");
const SPACES = /^[\s\u00a0\u2009\u202f\u2010\u2011-]*$/;

/**
 * The numbers of `text`, in order: `[{start, end, value, unit, isName, isListed}]`. `unit` is `{base, factor}` or null;
 * offsets are of JavaScript strings and take in the unit. `isName`: part of a name, as in GPT-4 or CO2. `isListed`: a
 * number that only counts lines or sources, as in "1." and "[3]".
 */
export function numbersIn(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const token = read(match, text);
    const last = found.at(-1);
    if (!last || !joined(last, token, text)) found.push(token);
  }
  return found.filter(({ value }) => value !== null).map((number) => finished(number, text));
}

function read({ index: start, groups, 0: raw }, text) {
  const end = start + raw.length;
  if (groups.digits) return { start, end, value: digits(raw), kind: "digits", ...whereItStands(text, start, end) };
  if (groups.vulgar) return { start, end, value: VULGAR[raw], kind: "part" };
  const word = raw.toLowerCase();
  if (word in ONES) return { start, end, value: ONES[word], kind: "one" };
  if (word in TENS) return { start, end, value: TENS[word], kind: "ten" };
  if (word in SCALES) return { start, end, value: null, scale: SCALES[word], kind: "scale" };
  if (word in PARTS) return { start, end, value: isOne(word, text, start, end) ? 1 / PARTS[word] : null, part: PARTS[word], kind: "part" };
  return { start, end, value: OTHERS[word], kind: "other" };
}

/** "half", "a quarter", "a third of"; but not "a third bird". */
function isOne(word, text, start, end) {
  if (word === "half") return true;
  return /(^|\P{L})an?\s+$/iu.test(text.slice(Math.max(0, start - 6), start)) && (word === "quarter" || /^\s+of\b/.test(text.slice(end)));
}

/** "1,000.50", "1 000" and "12,5" as numbers. A comma before three digits parts thousands, another one is a decimal comma. */
function digits(raw) {
  const plain = raw.replace(/[\s\u00a0\u2009\u202f'’]/g, "");
  const isDecimalComma = /^\d+,\d+$/.test(plain) && !/^[1-9]\d{0,2},\d{3}$/.test(plain);
  return Number(isDecimalComma ? plain.replace(",", ".") : plain.replaceAll(",", ""));
}

function whereItStands(text, start, end) {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  return {
    isName: /[\p{L}_]-?$/u.test(before) && !/[x×]$/.test(before),
    isListed: (/^\s*$/.test(text.slice(0, start)) && /^[.):](\s|$)/.test(after)) || (/\[$|,\s?$/.test(before) && /^[\],]/.test(after) && /\[[\d,\s–-]*$/.test(text.slice(0, start))),
  };
}

/** Whether `token` goes on with `last`: "twenty-five", "3 million", "two hundred and six", "two thirds", "2½". */
function joined(last, token, text) {
  const between = text.slice(last.end, token.start);
  const isNext = SPACES.test(between);
  const value = together(last, token, isNext, between);
  if (value === undefined) return false;
  const kind = token.kind === "scale" ? (last.kind === "digits" ? "digits" : "scaled") : token.kind === "part" ? "part" : last.kind === "ten" ? "one" : "scaled";
  const isSum = kind === "scaled" && token.kind !== "scale";
  const sum = isSum ? { settled: last.value, tail: token.value } : { settled: last.settled, tail: last.tail && last.tail * token.scale };
  Object.assign(last, { value, end: token.end, kind, scale: token.scale ?? last.scale, ...sum });
  return true;
}

function together(last, token, isNext, between) {
  if (last.value === null) return undefined;
  if (isNext && last.kind === "ten" && token.kind === "one" && token.value > 0 && token.value < 10) return last.value + token.value;
  if (isNext && token.kind === "scale") return last.tail ? last.settled + last.tail * token.scale : last.value * token.scale;
  if (token.kind === "part" && token.part && isNext && between && Number.isInteger(last.value) && last.value < token.part) return last.value / token.part;
  if (token.kind === "part" && !token.part && !between && last.kind === "digits") return last.value + token.value;
  const isSum = last.kind === "scaled" && (isNext || /^\s+and\s+$/.test(between)) && ["one", "ten"].includes(token.kind);
  return isSum && token.value < last.scale ? last.value + token.value : undefined;
}

function finished({ start, end, value, kind, isName = false, isListed = false }, text) {
  const scaled = kind === "digits" && /^[kKMB](?![\p{L}\d])/u.exec(text.slice(end, end + 2));
  const number = { start, end, value, unit: null, isWord: kind !== "digits", isName, isListed };
  if (scaled) return Object.assign(number, { value: value * LETTER_SCALES[scaled[0]], end: end + 1 });
  const after = UNIT.exec(text.slice(end, end + 24));
  const name = after?.[1].replace(/\s+/g, "-");
  const known = name && (UNITS.get(name) ?? (name.length > 3 ? UNITS.get(name.toLowerCase()) : undefined));
  if (known) return Object.assign(number, { unit: known, end: end + after[0].length });
  const currency = /[$€£]\s?$/.exec(text.slice(Math.max(0, start - 2), start));
  if (currency) return Object.assign(number, { unit: UNITS.get(currency[0].trim()), start: start - currency[0].length });
  return number;
}

/** Whether two numbers can mean the same. A number without a unit may have it in a table's head, or be a share of 1. */
export function same(a, b) {
  if (a.unit && b.unit) return a.unit.base === b.unit.base && near(a.value * a.unit.factor, b.value * b.unit.factor);
  if (near(a.value, b.value)) return true;
  return [[a, b], [b, a]].some(([given, plain]) => given.unit?.base === "share" && !plain.unit && near(given.value * given.unit.factor, plain.value));
}

function near(a, b) {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** All numbers of an article, ready to be asked. */
export class Numbers {
  constructor() {
    this.byKey = new Map(); // value to nine digits -> numbers
  }

  /** `paragraph` says where the text stands, if it is one that can be shown. */
  add(text, paragraph = null) {
    const read = numbersIn(text).map((number) => ({ ...number, paragraph }));
    const pieces = read.flatMap((number) => piecesOf(text.slice(number.start, number.end)));
    for (const number of [...read, ...pieces]) {
      for (const key of keys(number)) this.byKey.set(key, [...(this.byKey.get(key) ?? []), number]);
    }
  }

  has(number, raw = "") {
    const pieces = piecesOf(raw);
    if (pieces.length && pieces.every((piece) => this.has(piece))) return true;
    return keys(number).some((key) => this.byKey.get(key)?.some((other) => same(number, other)));
  }

  /** Where the numbers of `sentence` stand: `[{paragraph, start, end}]`. */
  places(sentence) {
    const equal = (number) => keys(number).flatMap((key) => this.byKey.get(key) ?? []).filter((other) => other.paragraph !== null && same(number, other));
    return [...new Set(numbersIn(sentence).filter(({ isListed }) => !isListed).flatMap(equal))].filter(({ paragraph }) => paragraph);
  }

  /** The numbers of `sentence` that do not occur here, but for parts of names, line numbers and a bare "one". */
  missing(sentence) {
    const isAsked = (number) => !number.isName && !number.isListed && !(number.isWord && number.value === 1 && !number.unit);
    return numbersIn(sentence).filter((number) => isAsked(number) && !this.has(number, sentence.slice(number.start, number.end)));
  }
}

/** "3 500" may be two numbers, as in "see Table 3 500 times". */
function piecesOf(raw) {
  const parts = /^\d+(?: \d+)+/.exec(raw)?.[0].split(" ") ?? [];
  return parts.map((part) => ({ value: Number(part), unit: null }));
}

/** The value as it stands, and in its base unit. */
function keys({ value, unit: of }) {
  const short = (x) => x.toPrecision(9);
  return of ? [short(value), short(value * of.factor)] : [short(value)];
}
