"""A project's pages: its standing, members, parts, checks, guidelines, inbox and changes."""
