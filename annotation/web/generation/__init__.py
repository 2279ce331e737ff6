"""Pages on which admins generate responses with a model: systems of a data set, and templates of the site."""
