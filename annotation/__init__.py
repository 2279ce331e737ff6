"""Factuary: people rate the factuality of language-model responses, sentence by sentence."""

__version__ = "0.7.1"
