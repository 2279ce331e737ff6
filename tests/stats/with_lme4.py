"""The crossed model is that of lme4, fitted here by R. Run by `make test-r`: R is not everywhere."""

import csv
import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from annotation.stats.crossed_model import crossed_model
from tests.stats.crossed_ratings import COLUMNS, NONE, draw, ratings_of

PROGRAM = Path(__file__).with_name("crossed_model.R")


def fit_in_r(rows: list[tuple[int, ...]], folder: Path) -> dict:
    """Return the figures that `crossed_model.R` prints for these ratings."""
    rscript = shutil.which("Rscript")
    assert rscript, "there is no Rscript on this machine: install R and lme4 (Debian: r-cran-lme4)"
    with (folder / "ratings.csv").open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    command = [rscript, "--vanilla", str(PROGRAM), "ratings.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "choices",
    [
        {"seed": 2},
        {"seed": 3, "overlap": 2, "raters": 20},
        {"seed": 4, "prompts": 30, "documents": 10, "logits": (1.0, 1.5)},
        {"sds": NONE | {"item": 1.0, "rater": 0.6}},
    ],
)
def test_the_figures_are_those_of_lme4(choices, tmp_path):
    rows = draw(**choices)
    expected, fit = fit_in_r(rows, tmp_path), crossed_model(ratings_of(rows))
    assert fit.status == ("singular" if expected["singular"] else "fitted")
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=0.05)
    assert fit.fixed == pytest.approx(expected["fixed"], rel=0.02)
    errors = [math.sqrt(row[i]) for i, row in enumerate(fit.covariance)]
    assert errors == pytest.approx(expected["errors"], rel=0.02)
    sds = {row.grouping: math.sqrt(row.variance) for row in fit.components}
    assert sds == pytest.approx(expected["sds"], rel=0.02, abs=0.001)
    assert [row.value for row in fit.marginal] == pytest.approx(expected["marginal"], rel=0.02)
