// Marks in the article that leave it as it is: nothing moves, and the browser's own find sees through them. With the CSS
// Custom Highlight API nothing in the page changes at all; where there is none, spans are put around the text.

const ABOVE = { words: 0, numbers: 1, suggested: 2, supports: 3, contradicts: 3, shown: 4, found: 5, "found-now": 6 };
/** Whether marks leave the page's nodes alone. Where they do not, ranges made before a mark are of no use after it. */
export const leavesNodesAlone = Boolean(globalThis.CSS?.highlights) && typeof Highlight === "function";
const highlights = leavesNodesAlone ? CSS.highlights : null;

/** Marks the ranges that `locate()` returns as `name` (nulls are left out), in place of those marked so before. */
export function paint(name, locate = () => []) {
  if (!highlights) return wrapAnew(name, locate);
  const ranges = locate().filter(Boolean);
  const known = highlights.get(name) ?? new Highlight();
  if (!known.size && !ranges.length) return;
  known.clear();
  for (const range of ranges) known.add(range);
  known.priority = ABOVE[name];
  highlights.set(name, known);
}

function wrapAnew(name, locate) {
  for (const span of document.querySelectorAll(`[data-mark="${name}"]`)) {
    const parent = span.parentNode;
    span.replaceWith(...span.childNodes);
    parent.normalize();
  }
  const nodes = locate().filter(Boolean).flatMap(textIn);
  for (const { node, start, end } of nodes.reverse()) wrap(name, node, start, end); // from the back: earlier offsets stay true
}

function textIn(range) {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const live = document.createRange();
  live.setStart(startContainer, startOffset);
  live.setEnd(endContainer, endOffset);
  const walker = document.createTreeWalker(live.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node.nodeType !== Node.TEXT_NODE || !live.intersectsNode(node) || node.parentElement.closest("math")) continue;
    const start = node === startContainer ? startOffset : 0;
    const end = node === endContainer ? endOffset : node.length;
    if (end > start) found.push({ node, start, end });
  }
  return found;
}

function wrap(name, node, start, end) {
  const middle = start ? node.splitText(start) : node;
  if (end - start < middle.length) middle.splitText(end - start);
  const span = document.createElement("span");
  span.dataset.mark = name;
  middle.replaceWith(span);
  span.append(middle);
}
