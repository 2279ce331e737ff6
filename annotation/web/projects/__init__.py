"""A project's pages: overview, members, reservations, checks, guidelines, inbox and settings."""
