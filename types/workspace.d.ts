// What the server sends to the workspace, what the page adds to it, and what the browser stores.

/** Question -> option or text. */
type Answers = Record<string, string>;
type Condition = Record<string, unknown[]>;

interface ProtocolOption {
  key: string;
  label: string;
  definition: string;
  shortcut: string;
  sign: string;
  tone: string;
}

interface Question {
  key: string;
  text: string;
  kind: string;
  help: string;
  required: boolean;
  show_when: Condition;
  require_when: Condition;
  max_length: number | null;
  shortcut: string;
  /** Asked once a response, with its last item. */
  once: boolean;
  /** Asked about items of these kinds only; empty: about all. */
  kinds: string[];
  options: ProtocolOption[];
}

interface Protocol {
  unit: "sentence" | "claim" | "fact" | "response" | "pair";
  questions: Question[];
}

/** A part of the article's text, with offsets in JavaScript strings. */
interface PassageRange {
  paragraph: string;
  start: number;
  end: number;
}

/** A passage as it is attached and stored, with offsets in code points. */
interface Passage extends PassageRange {
  stance?: string;
  text: string;
}

/** What a judge says about an item. */
interface Verdict {
  judge: string;
  answers: Answers;
  reason: string;
  quote: string;
  /** Whether the document has the quote; null without a quote. */
  quote_found: boolean | null;
}

/** One item as the server sends it. */
interface ItemPayload {
  id: string;
  position: number;
  kind: string;
  /** Why it probably claims nothing, in the page's language; "" if it may. */
  claim_free: string;
  answers: Answers | null;
  version: number;
  evidence: Passage[];
  suggestions: string;
  comment: string;
  seconds: number;
  verdict: Verdict | null;
}

/** The assignment as the server sends it with a page (the element #work). */
interface Work {
  id: string;
  rater: number | string;
  project: string;
  finished: boolean;
  /** The id of the document, or "none". */
  document: string;
  /** The name of what is beside the response: a document's id, one response's evidence, or "none". */
  article: string;
  suggestions: boolean;
  /** The address of the response that was finished before. */
  before: string | null;
  /** A notice of who reopened the response, or "". */
  reopening: string;
  /** In training and qualification: the address of the page that follows. */
  then: string;
  preview?: boolean;
  protocol: Protocol;
  items: ItemPayload[];
}

/** One item in the page. */
interface Item extends ItemPayload {
  assignment: string;
  index: number;
  prompt: string;
  spans: HTMLElement[];
  /** The answers that are chosen so far; an answer once they are complete. */
  draft: Answers;
  /** Text by field that is typed and not saved yet. */
  typed?: Record<string, string>;
  /** Whether the journal has a record of the draft. */
  isDraftStored?: boolean;
  /** Whether passages were attached at any time, so that an empty list is sent too. */
  hadEvidence?: boolean;
  /** The comment that went with the last save. */
  sentComment?: string;
  /** Whether the rater is asked which of two answers to keep. */
  isInConflict?: boolean;
  /** Milliseconds that the item was selected. */
  timeSpent?: number;
}

/** What goes to the server beside the answers. */
interface AnswerDetails {
  evidence?: Passage[];
  suggestions?: string;
  comment?: string;
  guidelines?: number;
}

interface QuestionToLeads {
  kind: string;
  text: string;
}

/**
 * A record of the journal's store "waiting": an answer (`item`), a finish (`finishes`), a question to the leads
 * (`asks`) or a bookmark (`marks`) on its way to the server. These names are stored in browsers.
 */
interface JournalEntry {
  key: string;
  /** The order in which entries were made, in microseconds. */
  at: number;
  /** The tab that sends it. */
  tab: string;
  assignment: string;
  item?: string;
  answers?: Answers | null;
  seconds?: number;
  more?: AnswerDetails;
  /** The version that the answer replaces. */
  base?: number;
  finishes?: boolean;
  /** The item of a question or bookmark. */
  about?: string;
  asks?: QuestionToLeads;
  marks?: boolean;
  tried?: boolean;
  body?: string | null;
  /** Not accepted by the server: waits until the work is here again, or for the rater's choice. */
  lost?: boolean;
  /** Left by an earlier page. */
  adopted?: boolean;
  /** Set when the server has it: the entry is a receipt. */
  stored?: { version: number; at: number };
}

interface Receipt extends JournalEntry {
  stored: { version: number; at: number };
}

/** A record of the journal's store "begun": a draft, or passages without an answer. */
interface DraftRecord {
  item: string;
  assignment: string;
  at: number;
  base: number | undefined;
  draft: Answers;
  evidence: Passage[] | null;
}

/** A record of the journal's store "typed". */
interface TypedRecord {
  place: string;
  item: string;
  field: string;
  assignment: string;
  text: string;
  was: string;
  at: number;
}

/** An answer that is stored on the server. */
interface StoredAnswer {
  answers: Answers | null;
  version: number;
  evidence: Passage[];
  comment: string;
}

/** What the API returns; `status` 0: no answer. */
interface ApiResponse {
  status: number;
  /** JSON or the text of a page: what it is depends on the request. */
  data: any;
  redirected?: boolean;
  headers?: Headers;
}

interface LeadQuestion {
  id: string;
  item: string | null;
  kind: string;
  text: string;
  answer: string;
  asked_at: string;
  answered_at: string | null;
  own: boolean;
  new: boolean;
}

/** The side panel's data as the server sends it (the element #beside). */
interface SidePanelData {
  guidelines: { number: number; note: string } | null;
  items: string[];
  questions: LeadQuestion[];
  marks: { item: string; why: string }[];
}

/** A response that was fetched ahead. */
interface FetchedSheet {
  id: string;
  article: string;
  finished: boolean;
  parts: Record<string, DocumentFragment>;
  askedAt: number;
}

/** A response that was left and can be shown again as it was. */
interface LeftSheet {
  work: Work;
  items: Item[];
  current: Item;
  parts: Record<string, DocumentFragment>;
}

/** Shows a message above the questions; returns its text. */
type ShowNotice = (message: string, tone?: string) => string;

/** The records of the journal, by store. */
interface JournalRecords {
  waiting: JournalEntry;
  begun: DraftRecord;
  typed: TypedRecord;
}
type JournalRecord = JournalRecords[keyof JournalRecords];

/** A message of another tab of the same rater: it has opened a response, or the server has stored its answer. */
type TabMessage =
  | { kind: "opened" | "open"; assignment: string }
  | ({ kind: "saved"; assignment: string; item: string } & StoredAnswer);

/** What the API returns as JSON: the fields that the workspace reads; which of them depends on the request. */
type ApiData = Partial<StoredAnswer> & {
  detail?: string;
  errors?: Record<string, string[]>;
  gate?: string;
  open?: string[];
  /** An answer of the pages for signing in. */
  form?: { errors?: string[]; fields?: Record<string, { errors: string[] }> };
};
