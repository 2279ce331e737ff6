// In training: the feedback on an answer that the server has stored.

import { call } from "../shared/api.js";
import { announce } from "./sheet.js";

let lastRequest = 0;

/**
 * @param {HTMLElement} box
 * @param {JournalEntry} entry
 */
export async function showFeedback(box, { assignment, item, answers }) {
  const request = ++lastRequest;
  if (!answers) return; // withdrawn
  const { status, data } = await call("GET", `/assignments/${assignment}/items/${item}/feedback/`, {
    accept: "text/html",
  });
  if (status !== 200 || request !== lastRequest) return; // a later answer has its own
  box.innerHTML = data;
  box.scrollTop = 0;
  announce(box.textContent.replace(/\s+/g, " ").trim());
}
