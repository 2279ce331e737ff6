"""The least Laplace deviance over standard deviations and fixed effects, with the covariance of the estimates.

L-BFGS-B finds the minimum, Newton steps with a Hessian from differences of the gradient make it exact to more digits
than are published. The deviance is even in each standard deviation, so its slope at 0 is 0: whether 0 is a minimum is
decided by the slope a little above.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .crossed_factor import Floats
from .crossed_laplace import LaplaceDeviance, ModeNotFoundError

UNLIMITED_VARIANCE = "unlimited variance"
START = 0.5
"""The standard deviation from which the search starts."""
MAX_SD = 10.0
"""A standard deviation at this limit has no estimate: the Laplace deviance falls with it, as where answers of a level
are nearly all alike, or alike at most levels and divided at the others."""
SMALL_SD = 0.1
"""A standard deviation below this is compared with 0 …"""
PROBE = 0.02
"""… and one that is 0 is tried here."""
RESTARTS = 5
NEWTON_STEPS = 4
DIFFERENCE = 1e-3
MAX_SLOPE = 1e-3


class NoEstimateError(ArithmeticError):
    """There is no estimate; the text is the reason."""


@dataclass(frozen=True)
class Optimum:
    """Parameters at the minimum, standard deviations first, with their covariance: rows of 0 where one is at 0."""

    sds: Floats
    fixed: Floats
    covariance: Floats
    deviance: float


def minimize_deviance(function: LaplaceDeviance, start: Floats, progress: Callable[[], None]) -> Optimum:
    """Return the optimum; `start` has the fixed effects, `progress` is called before every evaluation.

    Raises `NoEstimateError` where the search does not converge or a variance grows without limit.
    """
    try:
        return _Search(function, len(function.rows.layout.rows), progress).run(start)
    except ModeNotFoundError:
        raise NoEstimateError("no convergence") from None


class _Search:
    def __init__(self, function: LaplaceDeviance, sds: int, progress: Callable[[], None]):
        self.function, self.sds, self.progress = function, sds, progress

    def run(self, start: Floats) -> Optimum:
        point = self._descend(np.concatenate([np.full(self.sds, START), start]))
        for _ in range(RESTARTS):
            point = self._set_small_to_zero(point)
            zeros = [g for g in range(self.sds) if point[g] == 0]
            leaving = [g for g in zeros if self._evaluate(_with(point, [g], PROBE))[1][g] < 0]
            if not leaving:
                break
            point[leaving] = SMALL_SD
            point = self._descend(point)
        if (point[: self.sds] > MAX_SD * 0.99).any():
            raise NoEstimateError(UNLIMITED_VARIANCE)
        point = self._polish(point)
        # The inverse of half the Hessian, with rows of 0 for standard deviations of 0.
        free, covariance = self._free(point), np.zeros((len(point), len(point)))
        covariance[np.ix_(free, free)] = np.linalg.inv(self._hessian(point) / 2)
        return Optimum(point[: self.sds], point[self.sds :], covariance, self._evaluate(point)[0])

    def _evaluate(self, point: Floats) -> tuple[float, Floats]:
        self.progress()
        return self.function(point)

    def _free(self, point: Floats) -> list[int]:
        """Return the parameters that are not standard deviations of 0."""
        return [i for i, value in enumerate(point) if i >= self.sds or value > 0]

    def _descend(self, point: Floats) -> Floats:
        """Search with the standard deviations that are 0 held at 0."""
        from scipy.optimize import minimize  # late, as all of SciPy: see quantiles

        free = self._free(point)

        def of_free(values: Floats) -> tuple[float, Floats]:
            deviance, gradient = self._evaluate(_with(point, free, values))
            return deviance, gradient[free]

        bounds = [(0, MAX_SD) if i < self.sds else (None, None) for i in free]
        options = {"maxiter": 500, "ftol": 1e-13, "gtol": 1e-5}
        return _with(
            point, free, minimize(of_free, point[free], jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
        )

    def _set_small_to_zero(self, point: Floats) -> Floats:
        """Return the parameters with each small standard deviation at 0 where the deviance is not greater there."""
        for g in range(self.sds):
            if 0 < point[g] < SMALL_SD:
                without = self._descend(_with(point, [g], 0))
                if self._evaluate(without)[0] <= self._evaluate(point)[0] + 1e-9:
                    point = without
        return point

    def _polish(self, point: Floats) -> Floats:
        free, hessian = self._free(point), self._hessian(point)
        for _ in range(NEWTON_STEPS):
            step = np.linalg.solve(hessian, self._evaluate(point)[1][free])
            point = _with(point, free, point[free] - step)
        if np.abs(self._evaluate(point)[1][free]).max() > MAX_SLOPE or (point[: self.sds] < 0).any():
            raise NoEstimateError("no convergence")
        return point

    def _hessian(self, point: Floats) -> Floats:
        """Return the second derivatives of the deviance by the free parameters."""
        free = self._free(point)
        columns = []
        for i in free:
            above, below = (
                self._evaluate(_with(point, [i], point[i] + step))[1][free] for step in (DIFFERENCE, -DIFFERENCE)
            )
            columns.append((above - below) / (2 * DIFFERENCE))
        hessian = (np.array(columns) + np.array(columns).T) / 2
        if np.linalg.eigvalsh(hessian)[0] <= 0:
            raise NoEstimateError("no convergence")
        return hessian


def _with(values: Floats, places: list[int], new: Floats | float) -> Floats:
    changed = values.copy()
    changed[places] = new
    return changed
