"""Errors of requests to a model, and answers that cannot be used."""

REASONING_ALONE = "It has reasoning but no answer."


class ModelError(ValueError):
    """A judge or generator cannot be created or run. The message names the reason and the remedy; `field` is the part
    of the configuration that it is about, if it is about one.
    """

    def __init__(self, message: str, field: str = ""):
        super().__init__(message)
        self.field = field


class RunBusy(ModelError):
    """Another process runs it now."""


class ModelChanged(ModelError):
    """The endpoint answers as another model than before."""


class InvalidAnswer(ValueError):
    """The answer is not valid; the message says why, for the model and for people."""


class WithheldAnswer(InvalidAnswer):
    """The endpoint's filter withheld the answer: asking to repair it is no use."""
