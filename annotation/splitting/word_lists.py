"""Words that decide full stops: abbreviations by their behavior, and words that certainly begin a sentence.

They are grouped by behavior, as rules need it: can a sentence end here, does a number follow, does a capital letter
after it mean anything. Our own collection, all in lower case, without the final full stop.
"""


def word_set(listed: str) -> frozenset[str]:
    """Return the words of a text, divided by white space."""
    return frozenset(listed.split())


# An example, a comparison or a name always follows: never the end of a sentence.
NEVER_LAST = word_set(
    "mr mrs ms mx messrs mme mlle dr drs prof profs e.g eg i.e ie cf vs viz n.b c.f w.r.t nb incl excl asst vit"
)

# Titles and other words in front of a name, where they are written with a capital letter.
TITLES = word_set(
    """
    rev revd fr msgr hon pres gov sen rep reps gen col lt cpl sgt maj capt cmdr cdr adm brig pvt supt insp det
    amb mt mts ft st ste sta pt attn esq rt
    """
)

# The rest of a name or phrase may follow in upper case, but a sentence may also end here.
MAY_BE_LAST = word_set(
    """
    al jr sr inc ltd co cos corp llc llp plc gmbh bros ph.d m.d b.a m.a b.s b.sc m.s m.sc m.b.a d.phil ll.b ll.m ed.d
    j.d r.n a.m p.m a.d b.c b.c.e c.e a.k.a i.i.d w.h.p q.e.d r.i.p u.s u.k u.n e.u u.s.a u.s.c d.c n.y l.a s.a
    approx ca circa resp esp est avg std dev temp conc wt ht tel ext dist dept depts univ inst assn assoc intl govt natl
    ave blvd rd hwy pkwy bldg sp spp ssp subsp cv ibid op.cit loc.cit transl trans eds comp suppl ser
    misc obs sig diff coeff cont contd syn abbr assoc
    """
)

# Where these are written with a capital letter they are journals, months, days or states cut short.
CAPITALIZED = word_set(
    """
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri
    ala ariz ark calif colo conn fla ill ind kan ky mass mich minn miss mont neb nev okla penn tenn
    tex va vt wash wis wyo ont que fed civ crim cir ct supp rptr
    acad adv agric am amer anal ann appl arch astron astrophys biochem biol bot br brit bull can cardiol cell chem
    clin commun comput conf curr dermatol dis ecol econ ed educ electr electron endocrinol eng environ epidemiol eur
    evol exp gastroenterol genet geol geophys hist hum immunol infect int intell interact j jpn lett ling lond mater
    math mech med metab meteorol microbiol mol nat natl neurol neurosci nucl nutr oncol opt pathol pediatr
    pharmacol philos phys physiol polit proc psychiatr psychol publ quant radiol rehabil res roy sci secur soc softw
    stat surg symp syst tech technol theor toxicol transp vet virol zool lab hosp ste apt
    """
)

# Units: an abbreviation after a number, and then a capital letter begins a new sentence.
UNITS = word_set("min mins max sec secs hr hrs yr yrs mo mos wk wks lb lbs oz tbsp tsp qt pt gal mi in ft deg rpm no")

# A number, a numeral, a letter or a formula follows where it is an abbreviation; otherwise it is a plain word.
BEFORE_NUMBER = word_set(
    """
    fig figs eq eqs eqn eqns sec secs sect sects tab tabs ref refs ch chap chaps app apps appx alg algs def defs thm
    thms prop props lem lemm cor cors ex exs exp no nos nr nrs num vol vols pp pg pgs par para paras art arts op ver
    vv vs nn ll pt pts stmt rem conj hyp prob bk bks suppl supp approx ca rm apt ste obs chs rs max min avg
    tbl tbls sched scheds cl cls reg regs subsec subsecs exh exhs fasc fol fols opp col cols pl pls
    abb abbn abs anh bd bde kap abschn gl nrn anm rn rdnr ziff
    núm núms pág págs cap caps tít párr apdo apart réf réfs liv artt figg voll pag pagg capp
    blz hfdst afb rozdz rys ust pkt poz zał obr čl odst böl şek
    рис табл гл ст стр разд пп тт прил вып кн розд κεφ εικ σελ αρ άρθ παρ πίν
    """
)

# Of these, plain nouns too, and other plain words: only in a reference is what follows them a number.
PLAIN_NOUNS = word_set("art arts app apps ex par prop def tab rem op cap caps abs reg regs")
PLAIN_BEFORE_NUMBER = PLAIN_NOUNS | word_set("no max min pt pts cor")

# "see app. C", "under art. I section 8": a reference to a part follows.
BEFORE_REFERENCE = word_set(
    """
    see cf under per compare via vgl siehe gemäß nach laut der des dem den zu und oder von voir selon le du au dans et
    ver véase según el del al por il nel dal sul della conforme na em vedi zie zob i oraz w z см в из по и
    """
)

# "of cap. 5", "in art. 3": words that come before an abbreviation and hardly before its full word.
BEFORE_NAMED_PART = BEFORE_REFERENCE | word_set("in of from by to with and or on at as than im en de no do")

# "p. 5", "t. IV", "ч. II": single letters before a number.
LETTERS_BEFORE_NUMBER = frozenset("cpvnlstfчпскт")

# Ends of lists: text in upper case after them is a new sentence.
ENDS_LISTS = word_set("etc &c")

# "vitamin C.", "phase A.", "Type I.": a letter after one of these is a label, not an initial.
BEFORE_LETTER = word_set(
    """
    vitamin vitamins phase group groups type types class classes hepatitis appendix figure fig table plan option
    options step section sections case grade level point points part parts category model set factor version choice
    answer question chapter volume exhibit item example team side column row node vertex line route zone area
    site room building block unit series influenza war company person player student scenario box event
    variable matrix vector stage tier condition arm cohort sample method strategy candidate system panel drug
    """
)

# "The answer is B.": such a word is followed by a letter, not by an initial.
BEFORE_ANSWER = word_set("answer answers option choice letter grade key solution")

# "Step 1. Preheat the oven.": the number and its full stop are a label in front of the sentence.
LABEL_NOUNS = word_set(
    """
    step option figure fig table tab theorem lemma corollary proposition definition example exercise remark claim
    case part phase chapter section day week month year stage level question answer problem q task point rule item
    principle law act scene verse book appendix algorithm equation eq note tip reason method scenario round lesson
    module unit article fact myth hypothesis assumption experiment study paragraph line no nr number choice
    """
)

# "Proof. Let x be …": one word that labels the following text.
LABEL_WORDS = word_set(
    """
    proof remark remarks note notes definition example examples theorem lemma corollary claim proposition answer
    solution question nb n.b background objective objectives aim aims methods method results result conclusion
    conclusions discussion introduction summary abstract purpose hint tip warning caution caveat step ps p.s
    setting participants design interventions measurements limitations findings
    """
)

# "P.S. I love it.": these are followed by a sentence.
INTRODUCTIONS = word_set("p.s p.p.s n.b ps nb tl;dr")

# Capitalized, these open a sentence; a name or the rest of an abbreviated phrase hardly ever looks like them.
STARTERS = word_set(
    """
    the this these those that there their theirs its it it's he she we they you your yours our ours his her hers my i
    i'm i've i'd i'll we're we've they're you're he's she's that's there's here's what's let's don't
    in on at for from by with within without since after before during although though because thus therefore
    hence moreover furthermore additionally finally lastly first firstly second secondly third thirdly then also what
    why how who whom whose where which when while whereas whether if unless until once as so yet but and or nor not no
    do does did is are was were has have had can could will would should may might must let see note please here now
    next overall instead nevertheless nonetheless consequently similarly meanwhile accordingly conversely
    alternatively specifically notably importantly interestingly unfortunately fortunately generally typically
    usually often sometimes recently currently historically today later earlier eventually initially originally
    some many most all each both such other others another several few one two three four five any every either
    neither none much more less a an under over between among through despite besides beyond above below
    according due given based compared contrary depending regarding considering to using
    however indeed likewise still even only just perhaps maybe yes
    consider suppose assume define denote recall observe remember make try ensure check add use
    """
)

# Words that may precede an initial: "by J. Smith", "of the late A. Turing".
FUNCTION_WORDS = word_set(
    "by of and or from with to for in on at as the a an is are was were that late dr author authors professor about"
)

# "Turn on", "Log in": at the end of a short command no number follows them.
PARTICLES = word_set("on in to for at with")

# "Choose a method", "Open the box": no number follows a noun after one of these.
DETERMINERS = word_set("a an the your its this that each every my our his her their another any all")

FORMS_OF_BE = word_set("is are was were")

# Reporting verbs: a clause with one of them next to a quotation belongs to it.
REPORTING = word_set(
    """
    said says say asked asks ask replied replies reply answered answers added adds explained explains noted notes
    wrote writes write stated states argued argues claimed claims remarked remarks observed observes commented
    comments shouted shouts cried cries yelled yells whispered whispers murmured mumbled muttered exclaimed exclaims
    declared declares announced announces insisted insists admitted admits agreed agrees warned warns continued
    continues began begins concluded concludes responded responds told tells tell thought thinks recalled recalls
    quipped joked jokes sighed sighs laughed laughs gasped called calls urged urges demanded
    demands promised promises suggested suggests offered offers repeated repeats protested interrupted inquired
    inquires wondered wonders screamed screams snapped growled chuckled teased pleaded begged boasted lamented
    """
)

# Exclamation marks that belong to a name.
NAMES_WITH_MARK = word_set("yahoo jeopardy yum oklahoma")

# Months, days and time zones after "5 p.m." continue the phrase.
CALENDAR = word_set(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december est edt cst cdt mst mdt pst pdt gmt utc cet bst et pt
    """
)

# Small words of surnames that are written in lower case at the start of a sentence too.
NAME_PARTICLES = word_set("von van de der den di da dos du del della la le al el ibn bin ter ten")
