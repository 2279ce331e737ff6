// Finishing a response, the next one, and the way back. A response that is finished stays in the page as it is, so that
// undo and changes reach it without a network. The next ones are prefetched (prefetch.js) from the first saved answer
// on, so that the next one opens at once, with or without a network.

import { fragmentOf, Prefetch } from "../offline/prefetch.js";
import { assignmentUrl, call } from "../shared/api.js";
import { translate } from "../shared/translate.js";
import { announce, focusQuestions, itemText, listen, part } from "./sheet.js";

const MAX_LEFT_SHEETS = 20;
const OWN_PARTS = ["number", "answer"]; // parts that every response has; an article may be that of several
const finishButton = document.querySelector("[data-finish]");

/** @param {string} assignment */
const addressOf = (assignment) => `/assignments/${assignment}/`;

/** @typedef {{ hasOtherArticle?: boolean, from?: LeftSheet | null, askedAt?: number }} OpenOptions */

export class Finishing {
  /**
   * @param {object} dependencies
   * @param {Sheet} dependencies.sheet
   * @param {Dialogs} dependencies.dialogs
   * @param {PageCache} dependencies.pageCache
   * @param {AnyOutbox} dependencies.outbox
   * @param {Answering} dependencies.answering
   * @param {SidePanel} dependencies.sidePanel
   * @param {ShowNotice} dependencies.showNotice
   * @param {(message?: string) => void} dependencies.hideNotice
   * @param {() => void} dependencies.nameFinishButton
   * @param {(options: OpenOptions) => Promise<void>} dependencies.openSheet opens the sheet that was put into the page
   * @param {(change: () => unknown) => Promise<void>} dependencies.changeSheet lets keys wait during the change
   */
  constructor({
    sheet,
    dialogs,
    pageCache,
    outbox,
    answering,
    sidePanel,
    showNotice,
    hideNotice,
    nameFinishButton,
    openSheet,
    changeSheet,
  }) {
    this.sheet = sheet;
    this.dialogs = dialogs;
    this.pageCache = pageCache;
    this.outbox = outbox;
    this.answering = answering;
    this.sidePanel = sidePanel;
    this.showNotice = showNotice;
    this.hideNotice = hideNotice;
    this.nameFinishButton = nameFinishButton;
    this.openSheet = openSheet;
    this.changeSheet = changeSheet;
    /** @type {object | null} Identifies the step to the next response that is under way. */
    this.step = null;
    /** Resolves when the page shows the response that the address names. */
    this.following = Promise.resolve();
    this.prefetch = new Prefetch({ sheet, outbox, pageCache });
    listen("answer-saved", () => this.prefetch.fill());
    if (this.sheet.items.some(({ answers }) => answers)) this.prefetch.fill(); // saved before this file was loaded
  }

  async finish() {
    if (this.step) return;
    this.hideNotice();
    const openItems = this.sheet.openItems();
    if (openItems.length) return this.dialogs.listOpenItems(openItems);
    if (this.sheet.work.preview) {
      this.showNotice(
        translate("A rater would finish here and get the next response. The preview saves nothing."),
        "info",
      );
      return;
    }
    if (!this.sheet.work.finished && this.sidePanel.mustAskBeforeFinishing()) return;
    const step = {};
    this.setStep(step);
    if (!this.sheet.work.finished) this.sendFinish();
    await this.goOn(step);
    if (this.step === step) this.setStep(null);
  }

  sendFinish() {
    const { work } = this.sheet;
    work.finished = true;
    this.outbox.finish(work.id);
  }

  /** @param {object | null} step */
  setStep(step) {
    this.step = step;
    finishButton.disabled = step !== null;
    this.nameFinishButton();
  }

  /** Conflicts may be asked about meanwhile, and the choice must be saved as well. */
  async everythingSaved() {
    await this.outbox.idle();
    await this.dialogs.noOpenQuestion();
    await this.outbox.idle();
  }

  /**
   * The server did not finish the response: an item is open, as an answer was withdrawn elsewhere or refused.
   * @param {JournalEntry} entry
   * @param {{ open?: string[], detail?: string }} data
   */
  reopen({ assignment }, { open = [], detail = "" }) {
    const work = this.sheet.findWork(assignment);
    if (work) work.finished = false;
    this.nameFinishButton();
    const items = open.map((id) => this.sheet.findItem(id)).filter((item) => item !== null);
    for (const item of items) item.answers = null;
    if (items.length < open.length) return this.reload(assignment); // a lead has changed the split meanwhile
    const { sheet } = this;
    if (sheet.work.id === assignment)
      return this.dialogs.listOpenItems(sheet.items.filter(({ id }) => open.includes(id)));
    return this.showNotice(
      translate("The previous response is not finished yet: %(detail)s The menu at the top returns to it.", { detail }),
    );
  }

  /** @param {string} assignment */
  reload(assignment) {
    if (this.sheet.work.id === assignment) return location.reload();
    this.sheet.leftSheets.delete(assignment);
    return this.showNotice(
      translate(
        "The sentence boundaries of the previous response were edited, so it is not finished yet. The menu at the top returns to it.",
      ),
    );
  }

  /** @param {JournalEntry} entry */
  showLost({ assignment }) {
    if (assignment === this.sheet.work.id) this.dialogs.showLostWork();
    else
      this.showNotice(
        translate(
          "Another rater now has an earlier response. Your answers to it are kept in this browser and are sent if you get it again.",
        ),
      );
  }

  // The next response

  /** @param {object} step */
  async goOn(step) {
    const { leftSheets, work: current } = this.sheet;
    const unfinished = [...leftSheets.values()].find(({ work }) => !work.finished && work.id !== current.id);
    if (unfinished) return this.changeSheet(() => this.showLeft(unfinished.work.id));
    const next = this.prefetch.takeNextSheet();
    if (next) return this.changeSheet(() => this.show(next));
    await this.everythingSaved();
    if (this.step === step && this.sheet.work.finished) await this.changeSheet(() => this.leaseNext());
  }

  async leaseNext() {
    const { project, then } = this.sheet.work;
    if (then) return location.assign(then); // training and qualification have pages between their responses
    const { status, data } = await call("POST", `/api/v1/projects/${project}/assignments/`, { body: "{}" });
    if (status === 204 || data?.gate) return this.leaveWork();
    if (status !== 200)
      return this.showFailure(status, translate("This response is finished; the next one could not be fetched."));
    return this.fetchAndShow(data.id);
  }

  /**
   * The page of that address shows why there is no work: nothing left, training first, a pause, an archived project.
   */
  async leaveWork() {
    await this.pageCache.dropAllPages();
    location.assign(`/projects/${this.sheet.work.project}/rate/`);
  }

  /** @param {string} id */
  async fetchAndShow(id) {
    const fetched = await this.prefetch.fetch(id);
    return fetched ? this.show(fetched) : location.assign(addressOf(id));
  }

  // Putting responses into the page: nothing is loaded, the focus stays, and the same article keeps its scroll position

  /** @param {FetchedSheet} fetched */
  async show({ id, article, parts, askedAt }) {
    this.prefetch.drop(id);
    const hasOtherArticle = article !== this.sheet.work.article;
    this.leaveCurrent();
    this.replaceParts(parts, hasOtherArticle ? article : null);
    await this.openParts(id, { hasOtherArticle, askedAt });
    this.announceResponse(this.sheet.work.finished);
  }

  /** @param {boolean} isEarlier */
  announceResponse(isEarlier) {
    const { current } = this.sheet;
    const values = { place: this.sheet.itemLabel(current), text: itemText(current) };
    announce(
      isEarlier
        ? translate("Previous response. %(place)s: %(text)s", values)
        : translate("Next response. %(place)s: %(text)s", values),
    );
  }

  /**
   * @param {Record<string, DocumentFragment>} parts
   * @param {string | null} article its name, if it is another
   */
  replaceParts(parts, article) {
    for (const name of OWN_PARTS) part(name).replaceChildren(...parts[name].childNodes);
    if (article) part("article").replaceChildren(...this.prefetch.articleNodes(article));
  }

  /** Keeps the current response as it is. */
  leaveCurrent() {
    const { work, items, current } = this.sheet;
    this.prefetch.storeArticle(part("article"));
    const parts = Object.fromEntries(OWN_PARTS.map((name) => [name, fragmentOf(part(name))]));
    this.sheet.leftSheets.set(work.id, { work, items, current, parts });
    this.answering.changes.push({ leftAssignment: work.id, item: current });
    if (this.sheet.leftSheets.size > MAX_LEFT_SHEETS) this.dropOldest();
  }

  dropOldest() {
    const [
      [
        oldest,
        {
          work: { article },
        },
      ],
    ] = this.sheet.leftSheets;
    this.sheet.leftSheets.delete(oldest);
    this.prefetch.dropArticle(article);
    const { changes } = this.answering;
    const index = changes.findIndex((change) => "leftAssignment" in change && change.leftAssignment === oldest);
    this.answering.changes = changes.slice(index + 1);
  }

  /**
   * Shows a response that was left.
   * @param {string} id
   * @param {Item | null} item to select; undo goes there
   */
  async showLeft(id, item = null) {
    const from = this.sheet.leftSheets.get(id);
    if (!from) return;
    const isEarlier = from.work.finished;
    const hasOtherArticle = from.work.article !== this.sheet.work.article;
    this.leaveCurrent();
    if (item) this.answering.changes.pop(); // returning by undo is no change
    this.sheet.leftSheets.delete(id);
    this.replaceParts(from.parts, hasOtherArticle ? from.work.article : null);
    if (this.outbox.cancelFinish(id)) from.work.finished = false; // not sent yet: everything can be undone
    await this.openParts(id, { hasOtherArticle, from });
    this.sheet.selectItem(item ?? this.sheet.openItems()[0] ?? from.current);
    this.announceResponse(isEarlier);
  }

  /**
   * @param {string} id
   * @param {OpenOptions} options
   */
  async openParts(id, options) {
    if (location.pathname !== addressOf(id)) history.pushState(null, "", addressOf(id));
    this.setStep(null); // a step that is waiting belongs to the response that was left
    part("answer").scrollTop = 0;
    await this.openSheet(options);
    focusQuestions();
  }

  /**
   * Undo across the step to another response.
   * @param {SheetChange} change
   */
  async goBack({ leftAssignment, item }) {
    this.hideNotice(); // it was about the other response
    await this.changeSheet(() => this.showLeft(leftAssignment, item));
  }

  /** The browser went back or forward: shows the response that the address names, one after the other. */
  followHistory() {
    this.following = this.following.then(() => this.showAddressed());
    return this.following;
  }

  /** Going back to the response before is undo across the step. */
  async showAddressed() {
    const id = location.pathname.split("/").at(-2) ?? "";
    const last = this.answering.changes.at(-1);
    if (location.pathname !== addressOf(id) || id === this.sheet.work.id) return;
    if (!last || !("leftAssignment" in last) || last.leftAssignment !== id) return this.revisit(location.pathname);
    this.answering.changes.pop();
    return this.goBack(last);
  }

  /**
   * Opens a response that was shown earlier.
   * @param {string} address
   */
  async revisit(address) {
    const id = address.split("/").at(-2) ?? "";
    return this.changeSheet(() => (this.sheet.leftSheets.has(id) ? this.showLeft(id) : this.fetchAndShow(id)));
  }

  async release() {
    document.getElementById("return-to-queue").close();
    await this.everythingSaved();
    await this.prefetch.releasePrefetched();
    const { status } = await call("POST", assignmentUrl(this.sheet.work.id, "release/"), { body: "{}" });
    if (status !== 200) return this.showFailure(status, translate("The response was not returned."));
    await this.pageCache.dropAllPages();
    return location.assign(`/projects/${this.sheet.work.project}/released/`);
  }

  /**
   * @param {number} status
   * @param {string} message
   */
  showFailure(status, message) {
    if (status === 401 || status === 403)
      return this.showNotice(
        translate("You have been signed out. %(words)s Sign in again, and press Enter.", { words: message }),
      );
    if (status === 404)
      return this.showNotice(
        translate("The account that is signed in now has no access to this response. %(words)s", { words: message }),
      );
    return this.showNotice(
      translate("The server could not be reached (%(status)s). %(words)s Please try again.", {
        status: status || translate("no answer"),
        words: message,
      }),
    );
  }
}
