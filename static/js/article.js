// The article beside the response: outline, the section that one is in, and its own scrolling.

/** Wires the article inside `part`; call it again when another article was put there. */
export function wireArticle(part) {
  const text = part.querySelector("[data-article]");
  if (!text) return;
  const label = part.querySelector("[data-now-reading]");
  const links = new Map([...part.querySelectorAll(".outline a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...text.querySelectorAll("h2[id], h3[id], h4[id], h5[id]")];
  let current = null;
  let asked = false;

  function look() {
    asked = false;
    if (!text.clientHeight) return; // not on the screen: a phone shows the response
    const line = text.getBoundingClientRect().top + 90;
    const here = headings.findLast((heading) => heading.getBoundingClientRect().top <= line) ?? headings[0];
    if (here === current) return;
    links.get(current?.id)?.removeAttribute("aria-current");
    links.get(here?.id)?.setAttribute("aria-current", "true");
    label.textContent = here && here !== headings[0] ? here.textContent : "";
    current = here;
  }

  text.addEventListener("scroll", () => { if (!asked) requestAnimationFrame(look); asked = true; }, { passive: true });
  part.querySelector(".outline")?.addEventListener("click", (event) => follow(event, part, text));
  new ResizeObserver(look).observe(text);
}

function follow(event, part, text) {
  const link = event.target.closest("a");
  const heading = link && document.getElementById(link.hash.slice(1));
  if (!heading) return;
  event.preventDefault();
  text.scrollTop += heading.getBoundingClientRect().top - text.getBoundingClientRect().top - 16;
  part.querySelector("details[open]").open = false;
  text.focus({ preventScroll: true });
}

/** Scrolls `text`, and nothing else, so that `range` can be seen with what stands around it. */
export function reveal(text, range) {
  const box = range.getBoundingClientRect();
  const view = text.getBoundingClientRect();
  if (!view.height || (box.top >= view.top + 24 && box.bottom <= view.bottom - 24)) return;
  text.scrollTop += box.top - view.top - Math.max(24, (view.height - box.height) / 3);
}

/** Page Up and Page Down read on in the article while the focus is with the questions. */
export function scrollArticle(direction) {
  const text = document.querySelector("[data-article]");
  text?.scrollBy({ top: direction * text.clientHeight * 0.85 });
  return Boolean(text);
}
