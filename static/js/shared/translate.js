// The words of the scripts in the page's language. The English text is the message; what it is in another language stands in
// the page itself: no request. `manage.py messages` finds the calls of translate() and plural(), so
// their first arguments are texts and nothing else. Values come by name: translate("%(n)s of %(all)s", { n, all }).

const page = globalThis.document; // none in a unit test
const language = page?.documentElement.lang || "en-GB";
const { messages = {}, forms = "" } = JSON.parse(page?.getElementById("words")?.textContent ?? "{}");
const inFigures = new Intl.NumberFormat(language, { useGrouping: "always" });

/** The message in the page's language, with its values: numbers are written as the language writes them. */
export function translate(message, values) {
  return filled(messages[message] ?? message, values);
}

/** One or many: the form for `count`, which the message can name as %(n)s. */
export function plural(one, other, count, values) {
  const translated = messages[one];
  const text = Array.isArray(translated) ? translated[formOf(count)] : count === 1 ? one : other;
  return filled(text, { n: count, ...values });
}

// `forms` says for 0 to 199 which form a count has; what comes after goes by its last two figures in every language.
function formOf(count) {
  return Number(forms[count < 200 ? count : 100 + (count % 100)]);
}

function filled(text, values) {
  if (!values) return text;
  return text.replace(/%\((\w+)\)s/g, (whole, name) => {
    const value = values[name];
    return typeof value === "number" ? inFigures.format(value) : value ?? whole;
  });
}
