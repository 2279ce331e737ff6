"""Words that decide full stops: abbreviations by how they behave, and words that plainly open a sentence.

Grouped by behaviour, not by subject, because that is what a rule asks: can a sentence end here at all, does a number
follow, does a capital letter after it mean anything. Own collection, all in lower case, without the final full stop.
"""

# A name, an example or a comparison always follows: never the end of a sentence.
NEVER_LAST = frozenset(
    ["mr", "mrs", "ms", "mx", "messrs", "mme", "mlle", "dr", "drs", "prof", "profs", "rev", "revd", "fr", "msgr", "hon", "pres", "gov", "sen", "rep", "reps", "gen", "col", "lt", "cpl", "sgt", "maj", "capt", "cmdr", "adm", "brig", "pvt", "supt", "insp", "det", "amb", "sec-gen", "e.g", "eg", "i.e", "ie", "cf", "vs", "viz", "n.b", "a.k.a", "aka", "c.f", "v.s", "w.r.t", "mt", "ft", "st", "ste", "sr.a", "attn"]
)

# Usually followed by the rest of the phrase, but it may close a sentence.
MAY_BE_LAST = frozenset(
    ["al", "jr", "sr", "inc", "ltd", "co", "corp", "llc", "llp", "plc", "gmbh", "bros", "esq", "ph.d", "m.d", "b.a", "m.a", "b.sc", "m.sc", "m.b.a", "d.phil", "ll.b", "ll.m", "ed.d", "u.s", "u.k", "u.n", "e.u", "u.s.a", "d.c", "a.m", "p.m", "a.d", "b.c", "b.c.e", "c.e", "i.i.d", "w.h.p", "a.s", "q.e.d", "r.i.p", "p.s", "a.i", "approx", "ca", "circa", "resp", "incl", "excl", "esp", "est", "min", "max", "avg", "std", "dev", "temp", "conc", "temp", "wt", "ht", "hr", "hrs", "sec", "secs", "mins", "yr", "yrs", "mo", "mos", "wk", "wks", "lb", "lbs", "oz", "tbsp", "tsp", "qt", "pt", "gal", "mi", "rpm", "deg", "tel", "ext", "fax", "dist", "dept", "univ", "inst", "assn", "assoc", "intl", "govt", "natl", "ave", "blvd", "rd", "hwy", "pkwy", "ln", "sq", "ctr", "bldg", "apt", "ste", "hosp", "lab", "sp", "spp", "ssp", "subsp", "var", "cv", "f.sp", "gen.nov", "sp.nov", "ibid", "op.cit", "loc.cit", "id", "transl", "trans", "ed", "eds", "comp", "suppl", "ser", "orig", "repr", "misc", "tot", "no.s", "obs", "exp", "sig", "diff", "coeff", "cont", "contd", "syn", "abbr", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "ala", "ariz", "ark", "calif", "colo", "conn", "fla", "ga", "ill", "ind", "kan", "ky", "la", "md", "mass", "mich", "minn", "miss", "mont", "neb", "nev", "okla", "ore", "pa", "penn", "tenn", "tex", "va", "vt", "wash", "wis", "wyo", "ont", "que", "adv", "agric", "am", "anal", "ann", "appl", "arch", "assoc", "astron", "astrophys", "biochem", "biol", "bot", "br", "bull", "cardiol", "cell", "chem", "clin", "commun", "comput", "conf", "curr", "dermatol", "dis", "ecol", "econ", "educ", "electr", "electron", "endocrinol", "eng", "environ", "epidemiol", "eur", "evol", "exp", "gastroenterol", "genet", "geol", "geophys", "hist", "hum", "immunol", "infect", "int", "intell", "interact", "j", "jpn", "lett", "ling", "mater", "math", "mech", "med", "metab", "meteorol", "microbiol", "mol", "nat", "natl", "neurol", "neurosci", "nucl", "nutr", "oncol", "opt", "pathol", "pediatr", "pharmacol", "philos", "phys", "physiol", "polit", "proc", "psychiatr", "psychol", "q", "quant", "radiol", "rehabil", "res", "rev", "sci", "secur", "soc", "softw", "stat", "surg", "symp", "syst", "tech", "technol", "theor", "toxicol", "trans", "transp", "vet", "virol", "zool", "acad", "lond"]
)

# A number, a numeral, a letter or a formula follows where it is an abbreviation; otherwise it is a plain word.
BEFORE_NUMBER = frozenset(
    ["fig", "figs", "eq", "eqs", "eqn", "eqns", "sec", "secs", "sect", "sects", "tab", "tabs", "ref", "refs", "ch", "chap", "chaps", "app", "apps", "appx", "alg", "algs", "def", "defs", "thm", "thms", "prop", "props", "lem", "lemm", "cor", "cors", "ex", "exs", "exp", "no", "nos", "nr", "nrs", "num", "vol", "vols", "p", "pp", "pg", "pgs", "par", "para", "paras", "art", "arts", "cl", "clause", "op", "ver", "v", "vv", "vs", "n", "nn", "l", "ll", "item", "it", "pt", "pts", "st", "stmt", "rem", "obs", "conj", "hyp", "prob", "q", "a", "bk", "bks", "ser", "suppl", "supp", "issue", "c", "ca", "approx", "b", "d", "fl", "r", "aug", "lev", "gen", "exod", "deut", "matt", "cor", "rom", "phil", "isa", "ps", "prov", "eccl", "jer", "ezek", "dan", "rm", "apt", "ste"]
)

# Lists end so, and what comes after it in upper case is a new sentence.
ENDS_LISTS = frozenset({"etc", "etc.", "&c"})

# "vitamin C.", "phase A.", "Type I.": a letter after one of these is a label, not an initial.
BEFORE_LETTER = frozenset(
    ["vitamin", "vitamins", "phase", "group", "groups", "type", "types", "class", "classes", "hepatitis", "appendix", "figure", "fig", "table", "plan", "option", "options", "step", "section", "sections", "case", "grade", "level", "point", "points", "part", "parts", "category", "model", "set", "factor", "version", "choice", "answer", "question", "chapter", "volume", "exhibit", "item", "example", "team", "side", "column", "row", "node", "vertex", "point", "line", "route", "zone", "area", "site", "room", "building", "block", "unit", "series", "influenza", "world", "war", "product", "company", "person", "player", "student", "scenario", "box", "event", "variable", "matrix", "vector", "stage", "tier", "condition", "arm", "cohort", "sample", "method", "strategy", "candidate", "system", "panel", "drug"]
)

# "Step 1. Preheat the oven.": the number and its full stop are a label in front of the sentence.
LABEL_NOUNS = frozenset(
    ["step", "option", "figure", "fig", "table", "tab", "theorem", "lemma", "corollary", "proposition", "definition", "example", "exercise", "remark", "claim", "case", "part", "phase", "chapter", "section", "day", "week", "month", "year", "stage", "level", "question", "answer", "problem", "q", "a", "task", "point", "rule", "item", "principle", "law", "act", "scene", "verse", "book", "appendix", "algorithm", "equation", "eq", "note", "tip", "reason", "method", "scenario", "round", "lesson", "module", "unit", "article", "fact", "myth", "hypothesis", "assumption", "experiment", "study", "paragraph", "line", "no", "nr", "number", "choice"]
)

# "Proof. Let x be …": one word that labels what comes after it.
LABEL_WORDS = frozenset(
    ["proof", "remark", "remarks", "note", "notes", "definition", "example", "examples", "theorem", "lemma", "corollary", "claim", "proposition", "answer", "solution", "question", "nb", "n.b", "background", "objective", "objectives", "aim", "aims", "methods", "method", "results", "result", "conclusion", "conclusions", "discussion", "introduction", "summary", "abstract", "purpose", "hint", "tip", "warning", "caution", "caveat", "step", "ps", "p.s", "setting", "participants", "design", "interventions", "measurements", "limitations", "findings"]
)

# Capitalised, these open a sentence; a name or the rest of an abbreviated phrase hardly ever looks like them.
STARTERS = frozenset(
    ["the", "this", "these", "those", "that", "there", "their", "theirs", "its", "it", "it's", "he", "she", "we", "they", "you", "your", "yours", "our", "ours", "his", "her", "hers", "my", "i", "i'm", "i've", "i'd", "i'll", "we're", "we've", "they're", "you're", "he's", "she's", "that's", "there's", "here's", "what's", "let's", "don't", "in", "on", "at", "for", "from", "by", "with", "within", "without", "since", "after", "before", "during", "although", "though", "because", "thus", "therefore", "hence", "moreover", "furthermore", "additionally", "finally", "lastly", "first", "firstly", "second", "secondly", "third", "thirdly", "then", "also", "what", "why", "how", "who", "whom", "whose", "where", "which", "when", "while", "whereas", "whether", "if", "unless", "until", "once", "as", "so", "yet", "but", "and", "or", "nor", "not", "no", "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must", "let", "see", "note", "please", "here", "now", "next", "overall", "instead", "nevertheless", "nonetheless", "consequently", "similarly", "meanwhile", "accordingly", "conversely", "alternatively", "specifically", "notably", "importantly", "interestingly", "unfortunately", "fortunately", "generally", "typically", "usually", "often", "sometimes", "recently", "currently", "historically", "today", "later", "earlier", "eventually", "initially", "originally", "some", "many", "most", "all", "each", "both", "such", "other", "others", "another", "several", "few", "one", "two", "three", "four", "five", "any", "every", "either", "neither", "none", "much", "more", "less", "another", "an", "a", "under", "over", "between", "among", "through", "despite", "besides", "beyond", "above", "below", "according", "due", "given", "based", "compared", "contrary", "depending", "regarding", "considering", "to", "using", "however", "indeed", "likewise", "still", "even", "only", "just", "perhaps", "maybe", "yes"]
)

# Verbs of saying: a clause with one of them beside a quotation belongs to it.
REPORTING = frozenset(
    ["said", "says", "say", "asked", "asks", "ask", "replied", "replies", "reply", "answered", "answers", "added", "adds", "explained", "explains", "noted", "notes", "wrote", "writes", "write", "stated", "states", "argued", "argues", "claimed", "claims", "remarked", "remarks", "observed", "observes", "commented", "comments", "shouted", "shouts", "cried", "cries", "yelled", "yells", "whispered", "whispers", "murmured", "mumbled", "muttered", "exclaimed", "exclaims", "declared", "declares", "announced", "announces", "insisted", "insists", "admitted", "admits", "agreed", "agrees", "warned", "warns", "continued", "continues", "began", "begins", "concluded", "concludes", "responded", "responds", "told", "tells", "tell", "thought", "thinks", "recalled", "recalls", "quipped", "joked", "jokes", "sighed", "sighs", "laughed", "laughs", "smiled", "smiles", "gasped", "called", "calls", "urged", "urges", "demanded", "demands", "promised", "promises", "suggested", "suggests", "offered", "offers", "repeated", "repeats", "protested", "interrupted", "inquired", "inquires", "wondered", "wonders", "screamed", "screams", "snapped", "growled", "chuckled", "teased", "pleaded", "begged", "boasted", "lamented"]
)

# Exclamation marks that belong to a name.
NAMES_WITH_MARK = frozenset({"yahoo", "jeopardy", "yum", "oklahoma"})

# Months and days after "5 p.m." or a number continue the phrase.
CALENDAR = frozenset(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "gmt", "utc", "cet", "bst"]
)

# Small words of surnames that are written in lower case at the start of a sentence too.
NAME_PARTICLES = frozenset(["von", "van", "de", "der", "den", "di", "da", "dos", "du", "del", "della", "la", "le", "al", "el", "ibn", "bin", "ter", "ten", "d'"])
