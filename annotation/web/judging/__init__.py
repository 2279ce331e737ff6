"""Pages about judges: those of the site, for admins, and those of a project, for its leads."""
