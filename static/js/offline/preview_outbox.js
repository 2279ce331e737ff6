/** The outbox of a preview, in which a lead tries the workspace: nothing is sent or stored. */
export class PreviewOutbox {
  /** @type {Map<string, number>} */
  versions = new Map();
  /** @type {JournalEntry[]} */
  entries = [];
  waiting = 0;
  /** @type {Outbox["state"]} */
  state = "saved";
  rater = "";

  sendAnswer() {}

  askLeads() {}

  setBookmark() {}

  finish() {}

  drop() {}

  announceOpen() {}

  endConflict() {}

  isFinishing() {
    return false;
  }

  /** @param {JournalEntry} entry */
  suspendLastAnswer(entry) {
    return entry;
  }

  cancelFinish() {
    return true;
  }

  /** @returns {Promise<JournalEntry[]>} */
  async adopt() {
    return [];
  }

  /** @returns {Promise<Receipt[]>} */
  async receiptsSince() {
    return [];
  }

  async idle() {}

  async retryNow() {}
}
