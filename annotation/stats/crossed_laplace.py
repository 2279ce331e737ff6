"""The Laplace approximation of a logistic model with crossed random intercepts, with its gradient.

For standard deviations s and fixed effects b, the effects u (standard normal, multiplied by s) have their mode where
the penalized deviance is least (penalized iteratively reweighted least squares: Newton's method). The deviance is the
penalized deviance at the mode plus log |H|, H the Hessian of half the penalized deviance (Breslow and Clayton 1993;
Bates et al. 2015), as `glmer(..., nAGQ = 1)` of lme4 has it. Its gradient follows the mode: see `_gradient`.
"""

from dataclasses import dataclass

import numpy as np

from .crossed_factor import Effects, Factor, Floats, Indices, Layout, dot, factorize, sums_by

MAX_STEPS = 100
MAX_HALVINGS = 30
MIN_DECREMENT = 1e-24
"""Squared length of a Newton step: the Hessian of the deviance is made of differences, which need exact gradients."""
CLOSE = 1e-8
"""Below this decrement the deviance is rounded more than a step changes it, and each step doubles the exact digits …"""
LAST_STEPS = 2
"""… so that these steps, taken without a comparison, are enough: results are the same with every linear algebra."""


class ModeNotFoundError(ArithmeticError):
    """The mode of the random effects was not found."""


@dataclass(frozen=True)
class Rows:
    """`hits` of `trials` for rows that share system and levels, all of shape (R,); `systems`: their number."""

    hits: Floats
    trials: Floats
    system: Indices
    systems: int
    layout: Layout


@dataclass(frozen=True)
class Mode:
    """The mode of the effects: `effects`, and by row the `probability`, the `residual` (hits less expected), the
    `weights` of H and, of H, the `factor`.
    """

    effects: Effects
    deviance: float
    probability: Floats
    residual: Floats
    weights: Floats
    factor: Factor


class LaplaceDeviance:
    """The Laplace deviance as a function of standard deviations and fixed effects.

    Each search for the mode starts at the last one.
    """

    def __init__(self, rows: Rows):
        self.rows = rows
        self.evaluations = 0
        self._effects: Effects = [np.zeros(size) for size in rows.layout.sizes]

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the deviance and its gradient. Raises `ModeNotFoundError`."""
        sds, fixed = np.split(parameters, [len(self.rows.layout.rows)])
        self.evaluations += 1
        mode = self._find_mode(sds, fixed)
        self._effects = mode.effects
        return mode.deviance + mode.factor.log_determinant(), self._gradient(sds, mode)

    def _find_mode(self, sds: Floats, fixed: Floats) -> Mode:
        mode, last_steps = self._at(sds, fixed, self._effects), 0
        for _ in range(MAX_STEPS):
            slope = [
                sd * total - effect
                for sd, total, effect in zip(sds, self.rows.layout.collect(mode.residual), mode.effects, strict=True)
            ]
            step = mode.factor.solve(slope)
            decrement = sum(dot(a, b) for a, b in zip(slope, step, strict=True))
            if decrement < MIN_DECREMENT or last_steps == LAST_STEPS:
                return mode
            if decrement < CLOSE:
                mode, last_steps = self._at(sds, fixed, _moved(mode.effects, step)), last_steps + 1
            else:
                mode = self._step(sds, fixed, mode, step)
        raise ModeNotFoundError

    def _step(self, sds: Floats, fixed: Floats, mode: Mode, step: Effects) -> Mode:
        """Return the mode after a whole, half, quarter … step that lowers the deviance."""
        for halvings in range(MAX_HALVINGS):
            moved = self._at(sds, fixed, _moved(mode.effects, step, 0.5**halvings))
            if moved.deviance < mode.deviance:
                return moved
        raise ModeNotFoundError

    def _at(self, sds: Floats, fixed: Floats, effects: Effects) -> Mode:
        rows = self.rows
        logit = fixed[rows.system]
        for sd, effect in zip(sds, rows.layout.spread(effects), strict=True):
            logit = logit + sd * effect
        probability = 1 / (1 + np.exp(-np.clip(logit, -500, 500)))
        weights = rows.trials * probability * (1 - probability)
        deviance = 2 * float(np.sum(rows.trials * np.logaddexp(0, logit) - rows.hits * logit))
        return Mode(
            effects,
            deviance + sum(dot(effect, effect) for effect in effects),
            probability,
            rows.hits - rows.trials * probability,
            weights,
            factorize(rows.layout, sds, weights),
        )

    def _gradient(self, sds: Floats, mode: Mode) -> Floats:
        """Return the gradient, first by standard deviation, then by fixed effect.

        With A the rows' design times the standard deviations, v the rows' variances a'H⁻¹a and w' the derivative of the
        weights: log |H| changes by v w' times the change of the logit, which the mode follows by implicit
        differentiation. `indirect` is its derivative by a row's logit.
        """
        layout = self.rows.layout
        covariances = mode.factor.row_covariances()
        by_grouping = [sum(sd * entry for sd, entry in zip(sds, row, strict=True)) for row in covariances]
        variances = sum(sd * entry for sd, entry in zip(sds, by_grouping, strict=True))
        curvature = variances * mode.weights * (1 - 2 * mode.probability)
        follow = layout.spread(
            mode.factor.solve([sd * total for sd, total in zip(sds, layout.collect(curvature), strict=True)])
        )
        indirect = curvature - mode.weights * sum(sd * part for sd, part in zip(sds, follow, strict=True))
        slope = indirect - 2 * mode.residual
        by_sd = [
            dot(effect, slope) + 2 * dot(mode.weights, covariance) + dot(mode.residual, part)
            for effect, covariance, part in zip(layout.spread(mode.effects), by_grouping, follow, strict=True)
        ]
        return np.concatenate([by_sd, sums_by(self.rows.system, slope, self.rows.systems)])


def _moved(effects: Effects, step: Effects, share: float = 1) -> Effects:
    """Return the effects after a share of a step."""
    return [effect + share * part for effect, part in zip(effects, step, strict=True)]
