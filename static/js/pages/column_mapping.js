// The preview of a mapping follows every choice: the form is sent as its own button would, and the part is taken over.

const form = document.querySelector("[data-columns]");
const PAUSE = 250;
let timer, asked = 0;

async function show() {
  const mine = ++asked;
  const given = new FormData(form);
  given.set("do", "preview");
  const answer = await fetch(form.action || location.pathname, { method: "POST", body: given }).catch(() => null);
  if (!answer?.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[data-mapped]");
  if (!fresh || mine !== asked) return;
  form.querySelector("[data-mapped]").replaceChildren(...fresh.childNodes);
  form.querySelector("[data-check]").disabled = page.querySelector("[data-check]").disabled;
}

form?.addEventListener("change", () => {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
});
