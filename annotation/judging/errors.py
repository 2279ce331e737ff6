"""Errors of judges."""


class JudgeError(ValueError):
    """The judge cannot be created or run. The message names the reason and the remedy."""


class JudgeBusy(JudgeError):
    """The judge is rating the project now."""


class ModelChanged(JudgeError):
    """The endpoint answers as another model than before."""
