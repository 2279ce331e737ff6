"""Errors of requests to a model."""


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
