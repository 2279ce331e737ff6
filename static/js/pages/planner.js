// Works the plan out again while its form is filled in: asks the same page for what follows from the form, and keeps the
// address in step, so that a reload or a bookmark has the same plan. Without this script the button does the same.

const PAUSE = 250; // milliseconds without a key before the server is asked

const form = document.querySelector("[data-planner]");
const result = document.querySelector("[data-planner-result]");
let waiting = 0;
let asked = 0;

async function workItOut() {
  const query = new URLSearchParams(new FormData(form));
  const mine = ++asked;
  result.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`?${query}&part=result`, { headers: { Accept: "text/html" } });
    if (mine !== asked) return; // a later question is on its way
    if (answer.redirected || !answer.ok) throw new Error(`the server answered ${answer.status}`);
    result.innerHTML = await answer.text();
    history.replaceState(null, "", `?${query}`);
  } catch {
    form.submit(); // the whole page says what is wrong
  }
  result.removeAttribute("aria-busy");
}

form?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(workItOut, PAUSE);
});
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  workItOut();
});
