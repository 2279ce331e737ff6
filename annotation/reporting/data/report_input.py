"""What a report is made of under the lead's choices, with everything numbered in the order of imported ids."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...models import Project, Rating, User
from ...protocols import Protocol
from ...rating.counting import left_out
from ..choices import DEFAULT, DOCUMENT, Choices
from .data_hash import hash_in_database, hash_of, kept_hash_of
from .filters import FILTERED, Kept, Mask, choose, keep
from .rated_data import UNITS, Prompt, Source, Stock, take_stock
from .rating_columns import Scan, weeks_of
from .ratings import Ratings, newest
from .tallies import Indices, Sources, Tallies, distinct, indices, numbered, places


@dataclass(frozen=True)
class Reading:
    """What a report is made of: `tallies` and `standing` are the ratings that count under the choices; `own` is what
    raters themselves said, before adjudications took the place of their ratings; `left_out` are all others, by reason.
    `texts` are the sets of answers as the database writes them, and `roles` gave some; `whole`: every rating that
    counts is there; `anew`: nothing that is kept was used.
    """

    project: Project
    tallies: Tallies
    standing: Scan
    own: Scan
    left_out: dict[str, int]
    texts: list[str]
    roles: frozenset[str]
    whole: bool
    anew: bool

    def newest(self, role: str) -> Ratings:
        """The newest rating in this role of each item that is not retired, by item."""
        return newest(self.project, role, self.texts, self.roles)

    @cached_property
    def sha256(self) -> str:
        """The hash of the ratings that count, to be asked for in the snapshot in which they were read.

        Answers to choice questions are few and are numbered already; what was typed in is hashed where it is.
        """
        if only_choices(self.project.protocol.definition):
            made_of = self.tallies.sources, self.standing, self.texts, UNITS
            return hash_of(*made_of) if self.anew else kept_hash_of(self.project, *made_of)
        ids = None if self.whole else self.standing.ids.tolist()
        return hash_in_database(self.project, self.tallies.sources, ids)


def read(project: Project, choices: Choices = DEFAULT, *, anew: bool = False) -> Reading:
    """Read the ratings of `project` under `choices`. The number of queries does not depend on the data. `anew`: all of
    them from the database, whatever is kept.
    """
    stock = take_stock(project, anew=anew)
    kept = keep(stock, choices)
    rows = _rows_of_ratings(stock, kept.standing) if choices.needs_ratings else _rows_of_tally(stock, kept.sources)
    tallies, new = _tallies(stock, rows, choices)
    users = _users(kept)
    standing = _scan(stock, tallies.sources, new, kept.standing, users)
    own = standing if kept.own is kept.standing else _scan(stock, tallies.sources, new, kept.own, users)
    whole = kept.standing is stock.ratings
    return Reading(project, tallies, standing, own, _left_out(project, kept), stock.texts, stock.roles, whole, anew)


def read_tallies(project: Project, choices: Choices = DEFAULT) -> Tallies:
    """The counts alone, from the tally: quick however many ratings there are. Not for choices that need ratings."""
    return _counts_of(take_stock(project, anew=True), choices)[0]


def tallies_and_left_out(project: Project, choices: Choices = DEFAULT) -> tuple[Tallies, dict[str, int]]:
    """The same, and how many ratings are in none of the counts, by reason."""
    tallies, filtered = _counts_of(take_stock(project, anew=True), choices)
    return tallies, _in_order(left_out(project) | {FILTERED: filtered})


def data_sha256(project: Project, choices: Choices = DEFAULT) -> str:
    """The hash of the ratings that count under `choices`, as the report has it."""
    return read(project, choices).sha256


def _counts_of(stock: Stock, choices: Choices) -> tuple[Tallies, int]:
    """The tally's counts, and how many ratings the filters take from them."""
    rows = _rows_of_tally(stock, choose(stock, choices))
    return _tallies(stock, rows, choices)[0], int(stock.tally[2].sum() - rows[2].sum())


def _rows_of_tally(stock: Stock, chosen: Mask) -> Indices:
    """Columns (source, answers, n), from the tally."""
    return stock.tally[:, chosen[stock.tally[0]]]


def _rows_of_ratings(stock: Stock, ratings: Ratings) -> Indices:
    """The same, counted from ratings."""
    width = max(1, len(stock.texts))
    codes, n = np.unique(stock.sources_of(ratings.items) * width + ratings.answers, return_counts=True)
    return np.stack([*np.divmod(codes, width), n])


def _tallies(stock: Stock, rows: Indices, choices: Choices) -> tuple[Tallies, Indices]:
    """The rows with everything numbered, and the new number of each of the stock's sources, -1 where it has none."""
    order = sorted(np.unique(rows[0]).tolist(), key=lambda at: stock.sources[at].place)
    sources = _numbered([stock.sources[at] for at in order], choices.cluster, stock.other_side)
    new = np.full(len(stock.sources), -1)
    new[order] = np.arange(len(order))
    return Tallies(sources, stock.answers, sources.entries(new[rows[0]], rows[1], rows[2])), new


def _numbered(found: list[Source], cluster: str, other_side: Indices) -> Sources:
    """Sources that are in order, with prompts, clusters and systems numbered in theirs."""
    prompts = list({source.prompt.key: source.prompt for source in found}.values())
    systems = sorted({source.system for source in found})
    prompt_of = {prompt.key: at for at, prompt in enumerate(prompts)}
    system_of = {name: at for at, name in enumerate(systems)}
    names = [_cluster(prompt, cluster) for prompt in prompts]
    clusters = {name: at for at, name in enumerate(sorted(set(names)))}
    return Sources(
        prompts=[prompt.key for prompt in prompts],
        metadata=[prompt.metadata for prompt in prompts],
        documents=[prompt.document for prompt in prompts],
        cluster_of=indices(clusters[name] for name in names),
        clusters=len(clusters),
        systems=systems,
        keys=[(source.key, source.against) for source in found],
        made_by=[source.made_by for source in found],
        prompt_of=indices(prompt_of[source.prompt.key] for source in found),
        system_of=indices(system_of[source.system] for source in found),
        turned=np.array([source.is_turned for source in found], dtype=bool),
        other_side=other_side,
    )


def _cluster(prompt: Prompt, cluster: str) -> tuple[bool, str]:
    """Clusters are in this order: documents by id, then prompts about no document, each a cluster of its own."""
    if cluster == DOCUMENT and prompt.document is not None:
        return False, prompt.document
    return True, prompt.key


def _users(kept: Kept) -> dict[int, str]:
    ids = np.union1d(distinct(kept.own.raters), distinct(kept.standing.raters))
    return dict(User.objects.filter(pk__in=ids.tolist()).values_list("pk", "username"))


def _scan(stock: Stock, sources: Sources, new: Indices, ratings: Ratings, users: dict[int, str]) -> Scan:
    """The ratings with everything numbered; `new` gives the number of each of the stock's sources."""
    rated, item_of = numbered(ratings.items)
    among = places(rated, stock.items.ids)
    source_of = new[stock.items.sources[among]] if len(among) else among
    order = np.lexsort((stock.items.positions[among], stock.items.units[among], source_of))
    among, source_of = among[order], source_of[order]
    items = np.argsort(order)[item_of]
    raters, adjudicators = (sorted(_given(ratings, users, own=own)) for own in (True, False))
    who = _numbers_of_raters(ratings, users, raters, adjudicators)
    among_all = len(raters) + len(adjudicators)  # who is both counts twice
    sequence = np.argsort(items * among_all + who, kind="stable")  # hardly more than a look where it is in order
    weeks, week_of = weeks_of(ratings.days)
    prompt_of = sources.prompt_of[source_of]
    return Scan(
        items=items[sequence],
        raters=who[sequence],
        answers=ratings.answers[sequence],
        seconds=ratings.seconds[sequence],
        week_of=week_of[sequence],
        ids=ratings.ids[sequence],
        weeks=weeks,
        names=raters,
        adjudicators=adjudicators,
        item_ids=stock.items.ids[among],
        source_of=source_of,
        prompt_of=prompt_of,
        cluster_of=sources.cluster_of[prompt_of],
        positions=stock.items.positions[among],
        units=stock.items.units[among],
    )


def _given(ratings: Ratings, users: dict[int, str], *, own: bool) -> set[str]:
    return {users[pk] for pk in distinct(ratings.raters[ratings.own == own]).tolist()}


def _numbers_of_raters(ratings: Ratings, users: dict[int, str], raters: list[str], adjudicators: list[str]) -> Indices:
    """The number of each rating's rater; -1 - number for adjudicators."""
    ids, at = numbered(ratings.raters)
    rater = {name: number for number, name in enumerate(raters)}
    adjudicator = {name: -1 - number for number, name in enumerate(adjudicators)}
    names = [users[pk] for pk in ids.tolist()]
    as_rater, as_adjudicator = (indices(of.get(name, 0) for name in names) for of in (rater, adjudicator))
    return np.where(ratings.own, as_rater[at], as_adjudicator[at]) if adjudicators else as_rater[at]


def _left_out(project: Project, kept: Kept) -> dict[str, int]:
    """Every rating that is in no figure, by reason: those that never count, then those that the filters took."""
    adjudicated = int((~kept.standing.own).sum())
    found = left_out(project) | kept.reasons
    if adjudicated:
        found[Rating.Role.ADJUDICATOR.value] -= adjudicated
    return _in_order(found)


def _in_order(found: dict[str, int]) -> dict[str, int]:
    """The reasons that hold for some rating, in order."""
    return {reason: found[reason] for reason in sorted(found) if found[reason]}


def only_choices(protocol: Protocol) -> bool:
    """Whether no question is answered in free text."""
    return all(question.kind == "choice" for question in protocol.questions)
