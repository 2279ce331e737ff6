"""How often intervals by document are narrower than by prompt, and what each of the two then covers.

Documents have eight prompts each; `sd` is how much documents vary on the logit scale. `value` is a share of the studies
(or of those with the narrower interval by document), `baseline` the nominal 95 %. The run fails if the interval by
document covers less than 92 % or more than 98 % of all studies of a setting. The decision that it is about:
docs/decisions/narrow-intervals-by-document.md.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from annotation.stats.interval_choice import Headline, headlines
from benchmarks._designs import Design, Floats, logit_normal, rate_prompts
from benchmarks._figure import Figure

DOCUMENTS, CV2, SDS, SHARES = (10, 20, 50), (0.0, 1.9), (0.0, 0.25, 0.75), (0.5, 0.8, 0.95)
STUDIES = 1_000
MIN_COVERAGE, MAX_COVERAGE = 0.92, 0.98


def run() -> Iterator[Figure]:
    """Yield for each setting the coverage by document, by prompt and of the wider one, then of narrower ones."""
    for documents, cv2, sd, share in product(DOCUMENTS, CV2, SDS, SHARES):
        generator = np.random.default_rng([documents, int(10 * cv2), int(100 * sd), int(100 * share)])
        design = Design("documents", documents, cv2)
        hits, n = rate_prompts(generator, logit_normal(generator, design, STUDIES, share, sd), cv2)
        by_document = headlines(hits.sum(axis=2), n.sum(axis=2))
        by_prompt = headlines(hits.reshape(STUDIES, -1), n.reshape(STUDIES, -1))
        covered, covered_by_prompt = (covers(each, share) for each in (by_document, by_prompt))
        widths, widths_by_prompt = widths_of(by_document), widths_of(by_prompt)
        narrower = widths < widths_by_prompt
        name = f"{design.name()}, sd {sd:g}, share {share:g}"
        yield Figure(
            f"coverage by document, {name}", float(covered.mean()), 0.95, "share", STUDIES,
            at_least=MIN_COVERAGE / 0.95, at_most=MAX_COVERAGE / 0.95,
        )  # fmt: skip
        yield _share(f"coverage by prompt, {name}", covered_by_prompt)
        yield _share(f"coverage of the wider, {name}", np.where(narrower, covered_by_prompt, covered))
        yield Figure(f"narrower by document, {name}", float(narrower.mean()), 0, "share", STUDIES)
        if narrower.any():
            yield _share(f"coverage by document where narrower, {name}", covered[narrower])
            yield _share(f"coverage by prompt where by document is narrower, {name}", covered_by_prompt[narrower])
        wider = float(np.mean(np.maximum(widths, widths_by_prompt) / widths))
        yield Figure(f"width of the wider over that by document, {name}", wider, 1, "ratio", STUDIES)


def covers(intervals: list[Headline], share: float) -> Floats:
    return np.array([(each.low or 0.0) <= share <= (each.high or 0.0) for each in intervals], dtype=np.float64)


def widths_of(intervals: list[Headline]) -> Floats:
    return np.array([(each.high or 0.0) - (each.low or 0.0) for each in intervals])


def _share(name: str, covered: Floats) -> Figure:
    return Figure(name, float(covered.mean()), 0.95, "share", len(covered))
