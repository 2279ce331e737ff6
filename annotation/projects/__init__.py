"""Projects: creation, members, settings, guidelines, progress, archiving, deletion."""
