"""References of the Methods, as cited in the text and as BibTeX: only those that a text cites."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Reference:
    """An article: its BibTeX key, how a text cites it, and the fields of its BibTeX entry."""

    key: str
    citation: str
    author: str
    year: str
    title: str
    journal: str
    volume: str
    pages: str = ""

    @property
    def bibtex(self) -> str:
        fields = {name: value for name, value in asdict(self).items() if value and name not in ("key", "citation")}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@article{{{self.key},", *lines, "}"])

    @property
    def words(self) -> str:
        place = ", ".join(filter(None, [self.journal, self.volume, self.pages.replace("--", "–")]))
        authors = self.author.replace(" and others", " et al.").replace(" and ", "; ")
        return f"{authors} ({self.year}). {self.title}. {place}.".replace("{", "").replace("}", "")


EFRON = Reference(
    "efron1987", "Efron, 1987", "Efron, Bradley", "1987", "Better bootstrap confidence intervals",
    "Journal of the American Statistical Association", "82(397)", "171--185",
)  # fmt: skip
KORN_GRAUBARD = Reference(
    "korn1998", "Korn and Graubard, 1998", "Korn, Edward L. and Graubard, Barry I.", "1998",
    "Confidence intervals for proportions with small expected number of positive counts estimated from survey data",
    "Survey Methodology", "24(2)", "193--201",
)  # fmt: skip
HOLM = Reference(
    "holm1979", "Holm, 1979", "Holm, Sture", "1979", "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics", "6(2)", "65--70",
)  # fmt: skip
CHUNG_ROMANO = Reference(
    "chung2013", "Chung and Romano, 2013", "Chung, EunYi and Romano, Joseph P.", "2013",
    "Exact and asymptotically robust permutation tests", "The Annals of Statistics", "41(2)", "484--507",
)  # fmt: skip
ZOU_DONNER = Reference(
    "zou2008", "Zou and Donner, 2008", "Zou, Guang Yong and Donner, Allan", "2008",
    "Construction of confidence limits about effect measures: a general approach", "Statistics in Medicine", "27(10)",
    "1693--1702",
)  # fmt: skip
GWET = Reference(
    "gwet2008", "Gwet, 2008", "Gwet, Kilem Li", "2008",
    "Computing inter-rater reliability and its variance in the presence of high agreement",
    "British Journal of Mathematical and Statistical Psychology", "61(1)", "29--48",
)  # fmt: skip
KRIPPENDORFF = Reference(
    "hayes2007", "Hayes and Krippendorff, 2007", "Hayes, Andrew F. and Krippendorff, Klaus", "2007",
    "Answering the call for a standard reliability measure for coding data", "Communication Methods and Measures",
    "1(1)", "77--89",
)  # fmt: skip
DAWID_SKENE = Reference(
    "dawid1979", "Dawid and Skene, 1979", "Dawid, A. Philip and Skene, Allan M.", "1979",
    "Maximum likelihood estimation of observer error-rates using the EM algorithm",
    "Journal of the Royal Statistical Society: Series C (Applied Statistics)", "28(1)", "20--28",
)  # fmt: skip
CROSSED_EFFECTS = Reference(
    "baayen2008", "Baayen et al., 2008", "Baayen, R. Harald and Davidson, Douglas J. and Bates, Douglas M.", "2008",
    "Mixed-effects modeling with crossed random effects for subjects and items", "Journal of Memory and Language",
    "59(4)", "390--412",
)  # fmt: skip
PPI = Reference(
    "angelopoulos2023", "Angelopoulos et al., 2023",
    "Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, Tijana", "2023",
    "{PPI}++: efficient prediction-powered inference", "arXiv", "2311.01453",
)  # fmt: skip
ACTIVE_INFERENCE = Reference(
    "zrnic2024", "Zrnic and Candès, 2024", "Zrnic, Tijana and Candès, Emmanuel J.", "2024",
    "Active statistical inference", "arXiv", "2403.03208",
)  # fmt: skip
SYLLABUS_QA = Reference(
    "fernandez2024", "Fernandez et al., 2024", "Fernandez, Nigel and Scarlatos, Alexander and Lan, Andrew", "2024",
    "{SyllabusQA}: a course logistics question answering dataset", "arXiv", "2403.14666",
)  # fmt: skip
ALTERNATIVE_ANNOTATOR = Reference(
    "calderon2025", "Calderon et al., 2025", "Calderon, Nitay and Reichart, Roi and Dror, Rotem", "2025",
    "The alternative annotator test for {LLM}-as-a-judge: how to statistically justify replacing human annotators "
    "with {LLMs}", "arXiv", "2501.10970",
)  # fmt: skip
PUNKT = Reference(
    "kiss2006", "Kiss and Strunk, 2006", "Kiss, Tibor and Strunk, Jan", "2006",
    "Unsupervised multilingual sentence boundary detection", "Computational Linguistics", "32(4)", "485--525",
)  # fmt: skip
NUMPY = Reference(
    "harris2020", "Harris et al., 2020", "Harris, Charles R. and Millman, K. Jarrod and others", "2020",
    "Array programming with {NumPy}", "Nature", "585", "357--362",
)  # fmt: skip
SCIPY = Reference(
    "virtanen2020", "Virtanen et al., 2020", "Virtanen, Pauli and Gommers, Ralf and others", "2020",
    "{SciPy} 1.0: fundamental algorithms for scientific computing in {Python}", "Nature Methods", "17", "261--272",
)  # fmt: skip
ALL = (
    EFRON, KORN_GRAUBARD, HOLM, CHUNG_ROMANO, ZOU_DONNER, GWET, KRIPPENDORFF, DAWID_SKENE, CROSSED_EFFECTS, PPI,
    ACTIVE_INFERENCE, ALTERNATIVE_ANNOTATOR, SYLLABUS_QA, PUNKT, NUMPY, SCIPY,
)  # fmt: skip


def cited(text: str) -> list[Reference]:
    """Return the references that a text cites, by key."""
    return sorted((reference for reference in ALL if reference.citation in text), key=lambda reference: reference.key)


def bibtex(references: list[Reference]) -> str:
    return "\n".join(f"{reference.bibtex}\n" for reference in references)
