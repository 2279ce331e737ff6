"""API tokens, under the name of earlier versions."""

from .records import Token

__all__ = ["Token"]
