// Marks the link to the section that is read, and scrolls the bar of links to it. The links work without this file.

const READING_LINE = 130; // pixels from the top of the window: a heading above it begins the section that is read

let isScheduled = false;

/** @returns {HTMLAnchorElement[]} */
function sectionLinks() {
  return [...document.querySelectorAll("[data-section-links] a")];
}

/**
 * @param {HTMLAnchorElement} link
 * @returns {number} pixels between the top of the window and the section's heading
 */
function topOfSection(link) {
  return document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top ?? Infinity;
}

function markSection() {
  isScheduled = false;
  const links = sectionLinks();
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const read = isAtEnd && scrollY > 0 ? links.at(-1) : links.findLast((link) => topOfSection(link) <= READING_LINE);
  for (const link of links) {
    if (link === (read ?? links[0])) mark(link);
    else link.removeAttribute("aria-current");
  }
}

/** @param {HTMLAnchorElement} link */
function mark(link) {
  if (link.getAttribute("aria-current")) return;
  link.setAttribute("aria-current", "location");
  const bar = link.closest("nav");
  if (bar && bar.scrollWidth > bar.clientWidth) bar.scrollLeft += middle(link) - middle(bar);
}

/**
 * @param {Element} element
 * @returns {number}
 */
function middle(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

function schedule() {
  if (!isScheduled) requestAnimationFrame(markSection);
  isScheduled = true;
}

addEventListener("scroll", schedule, { passive: true });
addEventListener("resize", schedule);
document.addEventListener("htmx:afterSettle", schedule);
markSection();
