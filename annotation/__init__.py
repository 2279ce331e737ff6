"""Factuary: people judge the factuality of language-model responses, sentence by sentence."""
