import assert from "node:assert/strict";
import { test } from "node:test";

const CATALOG = {
  messages: { "Saved": "Guardado", "%(n)s passage": ["%(n)s pasaje", "%(n)s pasajes"] },
  forms: "10".padEnd(200, "1"),
};

async function load(language, catalog) {
  globalThis.document = {
    documentElement: { lang: language },
    getElementById: () => catalog && { textContent: JSON.stringify(catalog) },
  };
  return import(`../../static/js/shared/translate.js?${language}`);
}

test("in English the message itself is used", async () => {
  const { translate, plural } = await load("en-GB", null);
  assert.equal(translate("%(n)s of %(all)s", { n: 1234, all: "many" }), "1,234 of many");
  assert.equal(translate("100% (no values)"), "100% (no values)");
  assert.equal(plural("%(n)s passage", "%(n)s passages", 1), "1 passage");
  assert.equal(plural("%(n)s passage", "%(n)s passages", 2), "2 passages");
});

test("in another language the catalog of the page is used, with the plural form of the count", async () => {
  const { translate, plural } = await load("es", CATALOG);
  assert.equal(translate("Saved"), "Guardado");
  assert.equal(translate("Not in the catalog"), "Not in the catalog");
  assert.equal(plural("%(n)s passage", "%(n)s passages", 1), "1 pasaje");
  assert.equal(plural("%(n)s passage", "%(n)s passages", 1201), "1.201 pasajes");
});
