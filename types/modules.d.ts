// The classes of the workspace, for annotations. A module cannot name another one in an annotation itself: the storage
// of static files would take that for an import, and it allows no circular ones.

type Answering = import("../static/js/workspace/answering.js").Answering;
type BookmarkList = import("../static/js/workspace/bookmarks.js").BookmarkList;
type Dialogs = import("../static/js/workspace/dialogs.js").Dialogs;
type Evidence = import("../static/js/workspace/evidence.js").Evidence;
type FindBar = import("../static/js/workspace/article.js").FindBar;
type Journal = import("../static/js/offline/journal.js").Journal;
type KeySettings = import("../static/js/workspace/key_settings.js").KeySettings;
type Keyboard = import("../static/js/workspace/keyboard.js").Keyboard;
type LateModule<T> = import("../static/js/workspace/workspace.js").LateModule<T>;
type Outbox = import("../static/js/offline/outbox.js").Outbox;
type OutboxListener = import("../static/js/offline/outbox.js").OutboxListener;
type PageCache = import("../static/js/offline/page_cache.js").PageCache;
type Prefetch = import("../static/js/offline/prefetch.js").Prefetch;
type PreviewOutbox = import("../static/js/offline/preview_outbox.js").PreviewOutbox;
type QuestionForm = import("../static/js/workspace/answering.js").QuestionForm;
type Sheet = import("../static/js/workspace/sheet.js").Sheet;
type SheetChange = import("../static/js/workspace/answering.js").SheetChange;
type SidePanel = import("../static/js/workspace/side_panel.js").SidePanel;
type TypedTexts = import("../static/js/offline/journal.js").TypedTexts;
type AnyOutbox = Outbox | PreviewOutbox;
