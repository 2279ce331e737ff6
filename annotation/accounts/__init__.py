"""User accounts and API tokens."""
