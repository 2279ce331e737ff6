// Messages of the scripts in the page's language. The English text is the key; translations are in the page as data (no
// request). `manage.py messages` finds the calls of translate() and plural(), so their first arguments must be plain
// string literals. Values are passed by name: translate("%(n)s of %(all)s", { n, all }).

/** @typedef {Record<string, string | number>} Values */

const page = globalThis.document; // undefined in a unit test
const language = page?.documentElement.lang || "en-US";
/** @type {{ messages?: Record<string, string | string[]>, forms?: string }} */
const { messages = {}, forms = "" } = JSON.parse(page?.getElementById("words")?.textContent ?? "{}");
const numberFormat = new Intl.NumberFormat(language, { useGrouping: "always" });

/**
 * The message in the page's language, with its values; numbers are formatted for the language.
 * @param {string} message
 * @param {Values} [values]
 */
export function translate(message, values) {
  return interpolate(/** @type {string | undefined} */ (messages[message]) ?? message, values);
}

/**
 * The singular or plural form for `count`, which the message can name as %(n)s.
 * @param {string} singular
 * @param {string} pluralForm
 * @param {number} count
 * @param {Values} [values]
 */
export function plural(singular, pluralForm, count, values) {
  const translations = messages[singular];
  const english = count === 1 ? singular : pluralForm;
  // `forms` has the form for counts from 0 to 199; larger ones follow their last two digits in every language.
  const form = Number(forms[count < 200 ? count : 100 + (count % 100)]);
  const message = Array.isArray(translations) ? translations[form] : english;
  return interpolate(message, { n: count, ...values });
}

/**
 * @param {string} message
 * @param {Values} [values]
 */
function interpolate(message, values) {
  if (!values) return message;
  return message.replace(/%\((\w+)\)s/g, (placeholder, name) => {
    const value = values[name];
    return typeof value === "number" ? numberFormat.format(value) : (value ?? placeholder);
  });
}
