"""Errors of judges."""


class JudgeError(ValueError):
    """The judge cannot be created or run. The message names the reason and the remedy; `field` is the part of the
    configuration that it is about, if it is about one.
    """

    def __init__(self, message: str, field: str = ""):
        super().__init__(message)
        self.field = field


class JudgeBusy(JudgeError):
    """The judge is rating the project now."""


class ModelChanged(JudgeError):
    """The endpoint answers as another model than before."""
